import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDLESS, endStarted, leftovers, QUICK, runCli, STATE, startCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

/** @param {string} place a pipe that nobody writes to */
const makePipe = (place) => execFileSync('mkfifo', [place]);

describe('files of the tool', () => {
  afterEach(endStarted);

  it('--save: a second run is refused, what a killed one left is replaced, and nothing else is left', async () => {
    const first = startCli([...ENDLESS, '--save', 'mine.ndjson'], { inTemp: true });
    await first.says(/^round 1 /m);
    const file = join(first.temp, 'mine.ndjson');
    const second = await runCli([...QUICK, '--save', file]);
    assert.match(second.stderr, /^redis-pipe-bench: --save: another run is writing '.*mine\.ndjson'; wait/);
    assert.deepEqual([second.code, second.stdout], [2, '']);
    first.signal('SIGKILL');
    await first.result;
    const third = await runCli([...QUICK, '--save', file]);
    assert.equal(third.code, 0, third.stderr);
    const types = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    assert.deepEqual([types[0], types.at(-1)], ['header', 'end']);
    assert.deepEqual(
      (await readdir(first.temp)).filter((name) => /mine/.test(name)),
      ['mine.ndjson'],
    );
  });

  it('record: a second one is refused', async () => {
    const server = await startRedis();
    try {
      const args = ['record', '--url', server.url, '--output', 'traffic.ndjson'];
      const first = startCli(args, { inTemp: true });
      await first.says(/^listening on /m);
      const file = join(first.temp, 'traffic.ndjson');
      const second = await runCli([...args.slice(0, -1), file]);
      assert.match(second.stderr, /--output: another run is writing/);
      assert.equal(second.code, 2);
      first.signal('SIGINT');
      assert.equal((await first.result).code, 0);
      assert.deepEqual(leftovers(first.temp), ['file traffic.ndjson']);
    } finally {
      await server.stop();
    }
  });

  it('are not waited for where they are pipes or devices: named, or in the state folder', async () => {
    const { temp } = await runCli(['list']);
    const state = join(temp, STATE, 'redis-pipe-bench');
    await mkdir(join(state, 'stored-keys'), { recursive: true });
    const pipe = join(temp, 'pipe');
    for (const place of [pipe, join(state, '2026.ndjson'), join(state, 'stored-keys', 'x.json')])
      makePipe(place);
    await symlink('/dev/zero', join(state, '2025.ndjson'));
    await symlink('/dev/zero', join(state, 'stored-keys', 'y.json'));
    const server = await startRedis();
    try {
      const env = { XDG_STATE_HOME: join(temp, STATE) };
      for (const [args, code, message] of /** @type {[string[], number, RegExp][]} */ ([
        [['profile', pipe], 2, /'.*pipe' is a pipe, not a regular file/],
        [[...QUICK, '--workload', `profile:${pipe}`], 2, /is a pipe, not a regular file/],
        [[...QUICK, '--save', pipe], 2, /--save: .*is a pipe$/m],
        [['history'], 0, /2026\.ndjson +0 +damaged/],
        [['report', 'last'], 2, /there is no saved result/],
        [['report', '/dev/zero'], 2, /is a device/],
        [['trend', state], 0, /2 files left out: cannot be read: .*is a\s+pipe,\s+not a regular file/s],
        [['clean', '--url', server.url], 0, /^/],
        [[...QUICK, '--no-save', '--url', server.url], 0, /raw, shared connection/],
      ])) {
        const done = await runCli(args, { env, withinMs: 20_000 });
        assert.equal(done.code, code, `${args.join(' ')}: ${done.stderr}`);
        assert.match(`${done.stdout}${done.stderr}`, message);
      }
    } finally {
      await server.stop();
    }
  });

  it('TMPDIR may be relative', async () => {
    const { code, stderr, temp } = await runCli([...QUICK, '--no-save'], {
      env: { TMPDIR: '.' },
      inTemp: true,
    });
    assert.equal(code, 0, stderr);
    assert.deepEqual(leftovers(temp), []);
  });

  it('where none may grow (ulimit -f 0), one line says so, and nothing is left', async () => {
    const { temp } = await runCli(['list']);
    const command = `ulimit -f 0; TMPDIR='${temp}' exec "$0" "$@"`;
    const bin = new URL('../../bin/redis-pipe-bench.js', import.meta.url).pathname;
    assert.throws(
      () =>
        execFileSync('sh', ['-c', command, process.execPath, bin, ...QUICK, '--no-save'], { stdio: 'pipe' }),
      (/** @type {any} */ { status, stderr }) =>
        status === 2 &&
        /^redis-pipe-bench: .*EFBIG.*; raise the limit with: ulimit -f unlimited\n$/.test(`${stderr}`),
    );
    assert.deepEqual(leftovers(temp), []);
  });
});
