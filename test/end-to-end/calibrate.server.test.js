import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { measureCeilings } from '../../src/cli/commands/calibrate.js';
import { endStarted, runCli, startHere } from '../helpers/cli.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

const SHORT = ['calibrate', '--runs', '1', '--duration', '30ms', '--connections', '2', '--depth', '1,8'];

describe('calibrate', () => {
  afterEach(endStarted);

  it('gives JSON with verified figures', async () => {
    const { code, stdout, stderr } = await runCli([
      ...SHORT,
      '--transport',
      'tcp',
      '--format',
      'json',
      '--quiet',
    ]);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    const { results } = JSON.parse(stdout);
    assert.deepEqual(
      results.map((/** @type {any} */ each) => [each.transport, each.connections, each.depth, each.verified]),
      [
        ['tcp', 2, 1, true],
        ['tcp', 2, 8, true],
      ],
    );
    for (const { opsPerSecond, p50Us, p99Us, cpuUsPerOp } of results) {
      for (const figure of [opsPerSecond, p50Us, p99Us, cpuUsPerOp]) assert.ok(figure > 0);
    }
  });

  it('measures over TLS', async () => {
    const shape = { connections: 1, depth: 1, transport: 'tls', runs: 1, durationMs: 30 };
    const { results } = await measureCeilings(shape);
    const [{ transport, verified, opsPerSecond }] = results;
    assert.deepEqual([transport, verified], ['tls', true]);
    assert.ok(opsPerSecond > 0);
  });

  it('finds a reply that is wrong by one byte', async () => {
    let gets = 0;
    const server = await startFakeRedis((command) =>
      command === 'GET' && ++gets === 50 ? bulk('xxxxxxxxxy') : undefined,
    );
    try {
      const { code, stderr } = await runCli([...SHORT, '--url', server.url]);
      assert.equal(code, 4, stderr);
      assert.match(stderr, /the server replied .*not what was stored/);
    } finally {
      await server.stop();
    }
  });

  it('says so where the server does not report its counts, and where it does not reply', async () => {
    let isSilent = false;
    const server = await startFakeRedis((command) => (command === 'GET' && isSilent ? '' : undefined));
    try {
      const { stdout } = await runCli([...SHORT, '--url', server.url]);
      assert.match(stdout, /but the server does not report how many/);
      assert.doesNotMatch(stdout, /counted the\s+same/);
      isSilent = true;
      const tool = startHere([...SHORT, '--url', server.url]);
      await tool.says(/^warning: no reply for \d s; waiting for the server$/m);
      tool.signal('SIGINT');
      assert.equal((await tool.result).code, 130);
    } finally {
      await server.stop();
    }
  });

  describe('with peers', () => {
    const { PATH } = process.env;
    /** @type {string} */
    let folder;
    /** @type {Awaited<ReturnType<typeof startFakeRedis>>} */
    let server;
    const shape = { connections: [1, 2], depth: 1, transport: 'tcp', runs: 1, durationMs: 30, peers: true };

    /** @param {string} name @param {string} script */
    const peer = (name, script) => writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rpb-peers-'));
      process.env.PATH = `${folder}${delimiter}${PATH}`;
      server = await startFakeRedis(() => undefined);
    });
    afterEach(async () => {
      process.env.PATH = PATH;
      await Promise.all([server.stop(), rm(folder, { recursive: true })]);
    });

    it('runs them in the database of the URL, and one that prints nothing usable costs only its own figure', async () => {
      await peer(
        'redis-benchmark',
        `case "$*" in *'--dbnum 3'*) printf '"test","rps"\\n"GET","4321.00"\\n';; esac`,
      );
      await peer('memtier_benchmark', "case \"$*\" in *'--test-time=2'*) echo 'Totals 0.00 0.00';; esac");
      const { results, notes } = await measureCeilings({ ...shape, url: `${server.url}/3` });
      for (const { opsPerSecond, peers } of results) {
        assert.ok(opsPerSecond > 0);
        assert.deepEqual(peers, { 'redis-benchmark': 4321, memtier_benchmark: null });
      }
      assert.deepEqual(notes, ['memtier_benchmark printed a rate of 0']);
    });

    it('says once why one failed', async () => {
      await peer('redis-benchmark', `printf 'Node h:1\\nNOAUTH Authentication required.\\n' >&2; exit 1`);
      await peer('memtier_benchmark', 'exit 2');
      const { notes } = await measureCeilings({ ...shape, url: server.url });
      assert.deepEqual(notes, [
        'redis-benchmark failed: NOAUTH Authentication required.',
        'memtier_benchmark failed: it ended with exit code 2',
      ]);
    });

    it('runs none where there is a password, which its arguments would show', async () => {
      const url = server.url.replace('//', '//:s3cret@');
      const { peers, notes } = await measureCeilings({ ...shape, url });
      const why =
        'peers were not run: they take a password only as an argument, which the list of processes shows';
      assert.deepEqual([peers, notes], [[], [why]]);
    });
  });
});
