import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';
import { assertSound, runsOf } from '../helpers/sound.js';
import { buildModule } from '../helpers/tiny-module.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

const folder = mkdtempSync(join(tmpdir(), 'rpb-module-'));
const FILE = buildModule(folder);
const STORE = 'TINY.SET {key} {value}';

describe(`a command that no list knows${FILE ? '' : ' (skipped: there is no C compiler on PATH)'}`, () => {
  before(function () {
    if (!FILE) this.skip();
  });
  afterEach(endStarted);
  after(() => rmSync(folder, { recursive: true }));

  const module = `loadmodule ${FILE}`;
  /** @param {BenchmarkOptions} options */
  const measure = (options) =>
    benchmark({
      ...{ scenarios: ['shared-connection'], serverConfig: [module], size: [100], runs: 1, starts: 1 },
      ...{ iterations: 40, warmupRuns: 0, pin: 'off', profile: false, ...options },
    });

  it('is asked of the server, and its replies are compared with the right ones', async () => {
    const report = await measure({
      ...{ clients: ['raw', 'redis', 'ioredis'], command: 'TINY.GET {key}' },
      prepare: STORE,
    });
    assertSound(report);
    for (const { server, warnings } of runsOf(report)) {
      assert.equal(server?.commands, 320);
      // Of a command that only reads each reply is known, so that nothing is said of types.
      assert.doesNotMatch(warnings.join(), /type only/);
    }
  });

  it('that writes has its replies checked by type', async () => {
    const report = await measure({ clients: ['raw'], command: STORE });
    assertSound(report);
    assert.match(runsOf(report)[0].warnings.join() + report.warnings.join(), /TINY\.SET/);
  });

  it('goes to the node that has its key, wherever that stands', async () => {
    const { cells } = await measure({
      ...{ clients: ['redis', 'ioredis'], command: 'TINY.LATE first {key}', prepare: STORE },
      ...{ topology: ['cluster'], pipelining: NIGHTLY ? ['implicit', 'explicit:5'] : ['implicit'] },
    });
    const runs = runsOf({ cells });
    assert.deepEqual(
      runs.flatMap(({ failed, wrongReplies }) => [failed, wrongReplies]),
      runs.flatMap(() => [null, 0]),
    );
    const [redis] = cells;
    assert.equal(redis.client, 'redis');
    assert.equal(redis.runs[0].server?.moved, 0);
  });

  for (const [command, message] of /** @type {[string, RegExp][]} */ ([
    ['NOSUCH {key}', /the server does not know the command NOSUCH; .*--server-config 'loadmodule FILE'/],
    ['TINY.GET other', /the key 'other' is not this tool's; write \{key\}/],
    ['TINY.LATE {key} other', /the key 'other' is not this tool's; write \{key\}/],
    ['TINY.ADMIN {key}', /TINY\.ADMIN cannot be measured: it does not work on data/],
    ['TINY.SILENT {key} x', /TINY\.SILENT changes more than this tool's own keys: it is not measured/],
  ])) {
    it(`is refused before anything is stored: ${command}`, async () => {
      const args = [...QUICK, '--server-config', module, '--command', command];
      const { code, stdout, stderr } = await runCli(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^redis-pipe-bench: --command: [^\n]+\n$/);
      assert.match(stderr, message);
    });
  }

  it('may be in a module that is named from here, and one that is not there is reported', async () => {
    const args = [...QUICK, '--command', 'TINY.GET {key}', '--prepare', STORE, '--server-config'];
    const from = relative(process.cwd(), folder);
    const { code, stderr } = await runCli([...args, `loadmodule ${from}/tiny.so`]);
    assert.equal(code, 0, stderr);
    const missing = await runCli([...args, `loadmodule ${from}/other.so`]);
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /--server-config: .* refuses the module \S*other\.so: [^|#]*No such file[^|#]*; name a file/,
    );
  });

  it('of a server that may not be asked about it is refused', async () => {
    const server = await startRedis({ args: ['--loadmodule', `${FILE}`] });
    try {
      await server.query('ACL', 'SETUSER', 'limited', 'on', '>secret', '~rpb:*', '+@all', '-command');
      const url = server.url.replace('//', '//limited:secret@');
      const asked = ['--prepare', STORE, '--command', 'TINY.GET {key}'];
      const args = [...QUICK, '--url', url, ...asked, '--allow-scripts'];
      const refused = await runCli(args);
      assert.equal(refused.code, 2);
      assert.match(
        refused.stderr,
        /may not ask the server about TINY\.SET \(COMMAND INFO\): it is not measured/,
      );
      assert.equal(await server.query('DBSIZE'), 0);
    } finally {
      await server.stop();
    }
  });
});
