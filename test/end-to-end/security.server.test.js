import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import selfsigned from 'selfsigned';
import { examine } from '../../src/cli/commands/doctor.js';
import { readReport } from '../../src/cli/render.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { endStarted, leftovers, QUICK, runCli, STATE, startCli } from '../helpers/cli.js';
import { runMain } from '../helpers/main.js';
import { processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';

/** @import { ManagedProcess } from '../../src/server/types.js' */

const { formats } = await loadCatalogue();
const SECRET = 'Pl4nted-S3cret/with:every@thing%';
const FORMS = [SECRET, encodeURIComponent(SECRET), 'S3cret'];
const CLIENTS = ['--clients', 'redis,ioredis,raw'];

/** @param {string} text @param {string} where */
function assertClean(text, where) {
  for (const form of FORMS) assert.ok(!text.includes(form), `the secret is in ${where}`);
}

describe('a password', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {string} */
  let url;
  before(async () => {
    server = await startRedis();
    await server.query('ACL', 'SETUSER', 'tester', 'on', `>${SECRET}`, '~*', '&*', '+@all');
    await server.query('ACL', 'SETUSER', 'default', 'off');
    url = `redis://tester:${encodeURIComponent(SECRET)}@127.0.0.1:${server.port}/2`;
  });
  after(() => server.stop());
  afterEach(endStarted);

  it('is in nothing that is written, in any format', async () => {
    const { code, stdout, stderr, temp } = await runCli([...QUICK, ...CLIENTS, '--url', url], {
      env: { DEBUG: '1' },
    });
    assert.equal(code, 0, stderr);
    assertClean(stdout + stderr, 'the output');
    const entries = await readdir(temp, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    assert.equal(files.length, 1, 'what it saved');
    for (const { parentPath, name } of files) {
      assertClean(await readFile(join(parentPath, name), 'latin1'), name);
    }
    for (const format of formats.keys()) {
      const env = { XDG_STATE_HOME: join(temp, STATE), DEBUG: '1' };
      const report = await runMain(['report', 'last', '--format', format], env);
      assert.equal(report.code, 0, report.stderr);
      assertClean(report.stdout + report.stderr, `the output of ${format}`);
    }
    // This user has measured with every client in a database of its own, and left nothing there.
    const { cells } = await readReport(join(files[0].parentPath, files[0].name));
    assert.deepEqual(
      cells.map(({ runs }) => runs[0].failed),
      [null, null, null],
    );
    assert.doesNotMatch(String(await server.query('INFO', 'keyspace')), /^db/m);
  });

  for (const [what, args] of /** @type {[string, string[]][]} */ ([
    ['of a wrong user', [...QUICK, '--url', 'redis://nobody:S3cret@127.0.0.1:PORT']],
    [
      'of a cell that fails',
      [...QUICK, ...CLIENTS, '--key-size', '9', '--url', 'redis://reader:S3cret@127.0.0.1:PORT'],
    ],
    [
      'of calibrate',
      [
        'calibrate',
        '--runs',
        '1',
        '--duration',
        '20ms',
        '--depth',
        '1',
        '--url',
        'redis://nobody:S3cret@127.0.0.1:PORT',
      ],
    ],
    ['of doctor', ['doctor', '--url', 'redis://nobody:S3cret@127.0.0.1:PORT']],
    ['of no URL', [...QUICK, '--url', 'redis://nobody:S3cret@127.0.0.1:port']],
  ])) {
    it(`is in no error ${what}`, async () => {
      await server.query(
        'ACL',
        'SETUSER',
        'reader',
        'on',
        '>S3cret',
        '~*',
        '+@read',
        '+ping',
        '+info',
        '+hello',
      );
      const given = args.map((arg) => arg.replace('PORT', `${server.port}`));
      const { stdout, stderr } = await runCli(given, { env: { DEBUG: '1' } });
      assert.ok((stdout + stderr).length > 0);
      assertClean(stdout + stderr, 'an error');
    });
  }

  it('is not to be seen in the list of processes while the tool runs, but for its first moment', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const [args, env] of /** @type {[string[], NodeJS.ProcessEnv][]} */ ([
      [['--url', url], {}],
      [[], { REDIS_URL: url }],
    ])) {
      const cli = startCli([...QUICK, '--runs', '200', ...args], { env });
      await cli.says(/^round 1 /m);
      const commands = processesOf(cli.temp).map(({ command }) => command);
      assert.ok(commands.length >= 2, commands.join('\n'));
      for (const command of commands) assertClean(command, command.replaceAll(/S3cret/g, '…'));
      cli.signal('SIGINT');
      await cli.result;
    }
  });
});

describe('a server that asks for client certificates', () => {
  /** @type {string} */
  let folder;
  /** @type {ManagedProcess} */
  let server;
  /** @type {string[]} */
  let args;
  /** @param {string} name */
  const file = (name) => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-mtls-'));
    const certificates = makeCertificates();
    server = await startManagedServer(await locateServer(), { certificates });
    await server.control.command('CONFIG', 'SET', 'tls-auth-clients', 'yes');
    await server.control.command('ACL', 'SETUSER', 'tester', 'on', `>${SECRET}`, '~*', '&*', '+@all');
    await writeFile(file('ca.pem'), certificates.ca);
    await writeFile(file('cert.pem'), certificates.cert);
    await writeFile(file('key.pem'), certificates.key);
    const stranger = await selfsigned.generate([{ name: 'commonName', value: 'stranger' }]);
    await writeFile(file('strange-cert.pem'), stranger.cert);
    await writeFile(file('strange-key.pem'), stranger.private);
    const url = `rediss://tester:${encodeURIComponent(SECRET)}@127.0.0.1:${server.targets.tls?.port}/3`;
    args = ['--url', url, '--tls-ca', file('ca.pem')];
  });
  after(async () => {
    server.control.close();
    await Promise.all([server.stop(), rm(folder, { recursive: true })]);
  });
  afterEach(endStarted);

  const showing = (/** @type {string} */ cert, /** @type {string} */ key) => [
    ...['--tls-cert', file(cert), '--tls-key', file(key)],
  ];

  it('is measured by every client with TLS that shows one', async () => {
    const { code, stdout, stderr, temp } = await runCli([
      ...[
        ...QUICK,
        '--clients',
        'redis,ioredis,iovalkey,valkey-glide',
        ...args,
        ...showing('cert.pem', 'key.pem'),
        '--format',
        'json',
      ],
    ]);
    assert.equal(code, 0, stderr);
    const [glide, ...measured] = JSON.parse(stdout).cells.reverse();
    assert.deepEqual([glide.client, glide.skipped.kind], ['valkey-glide', 'client-lacks']);
    for (const { runs } of measured) assert.equal(runs[0].failed, null);
    assert.ok(!/BEGIN|PRIVATE/.test(stdout + stderr));
    assertClean(stdout + stderr, 'the output');
    assert.deepEqual(leftovers(temp), []);
  });

  it('serves doctor too', async () => {
    const tls = { tlsCa: file('ca.pem'), tlsCert: file('cert.pem'), tlsKey: file('key.pem') };
    const short = { runs: 1, starts: 1, warmupRuns: 0, iterations: 20, pin: 'off' };
    const checks = await examine({ ...short, ...tls, url: args[1] });
    assert.match(String(checks.find(({ title }) => title === 'server')?.found), /^external Redis \d/);
  });

  it('is not reached without: the message names the options', async () => {
    const { code, stderr } = await runCli([...QUICK, '--clients', 'ioredis', ...args]);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /TLS handshake.*--tls-cert FILE and --tls-key FILE/);
  });

  it('does not take one that nobody it trusts has signed', async () => {
    const { code, stderr } = await runCli([
      ...[...QUICK, '--clients', 'ioredis'],
      ...args,
      ...showing('strange-cert.pem', 'strange-key.pem'),
    ]);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /TLS handshake.*must trust the authority/);
  });

  for (const [what, given, message] of /** @type {[string, () => string[], RegExp][]} */ ([
    ['the key of another', () => showing('cert.pem', 'strange-key.pem'), /--tls-key: .*belongs to another/],
    [
      'a key that is none',
      () => showing('cert.pem', 'cert.pem'),
      /--tls-key: expected a file of a private key/,
    ],
    ['a certificate that is none', () => showing('key.pem', 'key.pem'), /--tls-cert: .*holds none/],
    [
      'a file that is not there',
      () => showing('none.pem', 'key.pem'),
      /--tls-cert: .*cannot be read.*ENOENT/,
    ],
    ['only one of them', () => ['--tls-cert', file('cert.pem')], /--tls-cert needs --tls-key/],
  ])) {
    it(`${what}: exit 2, and nothing of the files is printed`, async () => {
      const { code, stdout, stderr } = await runCli([...QUICK, ...args, ...given()], { env: { DEBUG: '1' } });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.ok(!/BEGIN|PRIVATE KEY/.test(stderr), stderr);
    });
  }
});

describe('two at once on one server', () => {
  afterEach(endStarted);

  it('each is warned of the other, and neither removes the keys of the other', async function () {
    this.timeout(120_000);
    const server = await startRedis();
    try {
      const args = [...QUICK, '--iterations', '500', '--url', server.url, '--format', 'json'];
      const long = startCli([...args, '--runs', '10000', '--starts', '1']);
      await long.says(/^round 1 /m);
      const short = await runCli([...args, '--runs', '3', '--starts', '1']);
      long.signal('SIGINT');
      const { code, stdout, stderr } = await long.result;
      assert.deepEqual([short.code, code], [0, 130], stderr);
      for (const text of [short.stdout, stdout]) {
        const [{ runs }] = JSON.parse(text).cells;
        assert.ok(runs.every((/** @type {any} */ run) => run.failed === null));
        assert.match(
          runs.flatMap((/** @type {any} */ run) => run.warnings).join('\n'),
          /the server counted [\d,]+/,
        );
      }
      assert.deepEqual(await server.contents(), {});
    } finally {
      await server.stop();
    }
  });
});
