import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, leftovers, QUICK, runCli } from '../helpers/cli.js';
import { freePort } from '../helpers/free-port.js';
import { startRedis } from '../helpers/redis-server.js';
import { bulk, startFakeRedis, startTcpServer } from '../helpers/tcp-server.js';

/** @import { Socket } from 'node:net' */

/**
 * @param {string[]} args
 * @param {number} exitCode
 * @param {RegExp} message
 * @param {Parameters<typeof runCli>[1]} [options]
 */
async function refused(args, exitCode, message, options) {
  const { code, stdout, stderr, temp } = await runCli(args, options);
  assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/, 'one line');
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /a bug in this tool/);
  assert.deepEqual([code, stdout], [exitCode, '']);
  assert.deepEqual(leftovers(temp), []);
}

describe('bad input gives one clear message and the right exit code:', () => {
  afterEach(endStarted);

  it('a server that is another program, exit 2', () =>
    refused(['--server-bin', process.execPath], 2, /--server-bin: expected .*redis-server/));

  it('an output that cannot be written is found before anything runs', async () => {
    const server = await startRedis();
    try {
      const before = await server.calls('ping');
      await refused([...QUICK, '--url', server.url, '--output', '/no/such/folder/x'], 2, /--output/);
      assert.equal(await server.calls('ping'), before);
    } finally {
      await server.stop();
    }
  });

  describe('no server, exit 3', () => {
    it('where nothing answers', async () => {
      const port = await freePort();
      const message = new RegExp(`nothing answers at 127\\.0\\.0\\.1:${port} \\(ECONNREFUSED\\)`);
      await refused(['--url', `redis://127.0.0.1:${port}`], 3, message);
      await refused(['calibrate', '--url', `redis://127.0.0.1:${port}`], 3, message);
    });
    for (const [what, onConnection, message] of /** @type {[string, (socket: Socket) => void, RegExp][]} */ ([
      ['where a connection is accepted and never answered', () => {}, /gave no Redis reply.*5 s/],
      ['where a connection is closed at once', (socket) => socket.destroy(), /127\.0\.0\.1:\d+/],
      [
        'where another protocol greets',
        (socket) => socket.write('SSH-2.0-x\r\n'),
        /does not speak the Redis protocol/,
      ],
    ])) {
      it(what, async () => {
        const server = await startTcpServer(onConnection);
        try {
          await refused(['--url', server.url], 3, message);
        } finally {
          await server.stop();
        }
      });
    }
    it('where a database is asked for that is not there', async () => {
      const server = await startRedis();
      try {
        await refused(['--url', `${server.url}/99`], 3, /DB index/);
      } finally {
        await server.stop();
      }
    });
    it('where PATH has no server', () =>
      refused(QUICK, 3, /found no Redis server.*--url/, { env: { PATH: '/no/such/folder' } }));
    it('where the server does not start, with its own words', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rpb-broken-'));
      const path = join(folder, 'redis-server');
      await writeFile(
        path,
        '#!/bin/sh\n[ "$1" = --version ] && echo server && exit\necho "no luck today"\nexit 1\n',
      );
      await chmod(path, 0o755);
      try {
        await refused(['--server-bin', path], 3, /no luck today/);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });

  describe('wrong replies, exit 4', () => {
    /**
     * @param {number} right how many GETs are answered with what was stored
     */
    async function withWrongReplies(right) {
      let gets = 0;
      const server = await startFakeRedis((command) =>
        command === 'GET' && ++gets > right ? bulk('something else') : undefined,
      );
      try {
        // Without a warm-up, and left to the scheduler so that nothing is repeated, the GETs of a run are known.
        return await runCli([
          ...[...QUICK, '--keys', '1', '--size', '20', '--pin', 'off', '--warmup-runs', '0', '--no-profile'],
          ...['--url', server.url, '--format', 'table'],
        ]);
      } finally {
        await server.stop();
      }
    }

    it('are noticed when the data is stored', async () => {
      const { code, stdout, stderr, temp } = await withWrongReplies(0);
      assert.equal(code, 4);
      assert.match(stderr, /^failed: .*GET of a key of 20 .*, before the run, got a wrong reply$/m);
      assert.match(stderr, /^redis-pipe-bench: 1 of 1 cell failed$/m);
      assert.match(stdout, /\bfailed\b/);
      assert.deepEqual(leftovers(temp), []);
    });
    it('are noticed and counted in the runs, with one of them shown', async () => {
      const { code, stdout, stderr } = await withWrongReplies(1 + 8 * 50 - 3);
      assert.equal(code, 4);
      assert.match(`${stdout}${stderr}`, /3 wrong replies.*GET replied "something else"/);
    });
  });

  describe('a machine that does not let processes be pinned', () => {
    it('is measured without pinning, and says so', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rpb-taskset-'));
      await writeFile(
        join(folder, 'taskset'),
        '#!/bin/sh\n[ "$1" = --version ] && exit\necho "taskset: Operation not permitted" >&2\nexit 1\n',
      );
      await chmod(join(folder, 'taskset'), 0o755);
      try {
        const env = { PATH: `${folder}:${process.env.PATH}` };
        const { code, stdout, stderr, temp } = await runCli(QUICK, { env });
        assert.equal(code, 0, stderr);
        assert.match(stdout.replace(/\s+/g, ' '), /not pinned/);
        assert.deepEqual(leftovers(temp), []);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
});
