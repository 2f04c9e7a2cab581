import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { allAtOnce } from '../helpers/all-at-once.js';
import { ENDLESS, endStarted, leftovers, ONE_CELL, startCli, startHere } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** It waits for a server that is gone for a moment. */
const IOREDIS = ['--clients', 'ioredis'];
const JSON_OF_ONE = [...ONE_CELL, ...IOREDIS, '--warmup-runs', '0', '--format', 'json'];

/** @param {string} temp @returns {number[]} */
const workersOf = (temp) =>
  processesOf(temp)
    .filter(({ command }) => command.includes('worker/entry.js'))
    .map(({ pid }) => pid);

/**
 * Each waits for seconds, so all of them wait at once.
 *
 * @type {Record<string, (server: Awaited<ReturnType<typeof startRedis>>) => Promise<void>>}
 */
const STALLS = {
  async 'for 3 s: a warning at once and on the run, which ends as it should'(server) {
    // So many that it goes on when the server is stopped, on a busy machine too.
    const iterations = ['--iterations', '5000', '--runs', '1'];
    const cli = startCli([...JSON_OF_ONE, ...iterations, '--url', server.url]);
    await cli.says(/1 cell/);
    while ((await server.calls('get')) < 100) await sleep(10);
    process.kill(server.pid, 'SIGSTOP');
    await sleep(3000);
    process.kill(server.pid, 'SIGCONT');
    const { code, stdout, stderr } = await cli.result;
    assert.equal(code, 0, stderr);
    if (process.platform === 'linux') assert.match(stderr, /^warning: ioredis.*: no reply for \d+ s/m);
    const [run] = JSON.parse(stdout).cells[0].runs;
    assert.equal(run.failed, null);
    // On a busy machine a worker reads replies after the server has been stopped.
    assert.match(run.warnings.join(), /no reply came for (?:2\.[5-9]|[3-9]|\d\d+)(?:\.\d)? s/);
  },

  async 'for ever: after --run-timeout the run fails, exit 3, with the runs until then'(server) {
    const cli = startCli([...[...ENDLESS, '--run-timeout', '3s', '--url', server.url, '--format', 'json']]);
    await cli.says(/^round 2 /m);
    process.kill(server.pid, 'SIGSTOP');
    const { code, stdout, stderr, temp } = await cli.result;
    assert.equal(code, 3);
    assert.match(stderr, /ended early: .*has stopped answering/);
    assert.match(stderr, /may be left on the server/);
    const report = JSON.parse(stdout);
    assert.deepEqual(schemaErrors(report), []);
    for (const { runs } of report.cells) assert.ok(runs.length >= 2);
    assert.deepEqual(leftovers(temp), []);
  },

  async 'while cells are being prepared: exit 3, not a wait for ever'(server) {
    const cli = startCli([
      ...[...ENDLESS, '--clients', 'raw,ioredis', '--size', '1000000', '--url', server.url],
    ]);
    while ((await server.calls('set')) < 1) await sleep(1);
    process.kill(server.pid, 'SIGSTOP');
    const { code, stderr, temp } = await cli.result;
    assert.equal(code, 3, stderr);
    assert.match(stderr, /has stopped answering/);
    assert.deepEqual(leftovers(temp), []);
  },
};

describe('a server that stalls (SIGSTOP)', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>[]} */
  const servers = [];
  after(async () => {
    for (const { pid } of servers) process.kill(pid, 'SIGCONT');
    await endStarted();
    await Promise.all(servers.map((server) => server.stop()));
  });

  allAtOnce(STALLS, async () => {
    const server = await startRedis();
    servers.push(server);
    return server;
  });
});

describe('a server that comes back', () => {
  afterEach(endStarted);

  for (const [scenario, iterations] of [
    ['shared-connection', '200'],
    ...(NIGHTLY ? [['open-and-close', '50']] : []),
  ]) {
    it(`as another one, empty, in the middle, ${scenario}: exit 3, the run failed`, async () => {
      const server = await startRedis();
      const cli = startHere([
        ...[...ENDLESS, ...IOREDIS, '--scenarios', scenario, '--iterations', iterations],
        ...['--url', server.url, '--format', 'json'],
      ]);
      await cli.says(/^round 1 /m);
      await server.restart();
      try {
        const { code, stdout, stderr, temp } = await cli.result;
        assert.equal(code, 3, stderr);
        assert.match(stderr, /ended early: .*(restarted|gone|closed the connection)/);
        const [{ runs }] = JSON.parse(stdout).cells;
        assert.match(
          String(runs.at(-1).failed),
          /is gone|was restarted|connection lost|closed the connection/,
        );
        assert.deepEqual(leftovers(temp), []);
      } finally {
        await server.stop();
      }
    });
  }

  it('empty without a restart (FLUSHALL): the run fails for its wrong replies', async () => {
    const server = await startRedis();
    try {
      const cli = startHere([
        ...[...ENDLESS, '--runs', '50', '--starts', '1'],
        ...['--url', server.url, '--format', 'json'],
      ]);
      await cli.says(/^round 1 /m);
      await server.query('FLUSHALL');
      const { code, stdout } = await cli.result;
      assert.equal(code, 4);
      const [{ runs }] = JSON.parse(stdout).cells;
      assert.match(String(runs.at(-1).failed), /wrong replies, the first: GET replied null/);
    } finally {
      await server.stop();
    }
  });
});

describe('a worker', () => {
  afterEach(endStarted);

  it('whose event loop is blocked: after --run-timeout its cell fails, the others go on', async function () {
    this.timeout(120_000);
    const cli = startHere([
      ...[
        ...ENDLESS,
        '--runs',
        '3',
        '--starts',
        '1',
        '--scenarios',
        'shared-connection,pool',
        '--format',
        'json',
      ],
      // Rounds that last long enough for the worker to be stopped in one, and far less than the limit.
      ...['--iterations', '1000', '--run-timeout', '3s'],
    ]);
    await cli.says(/^round 1 /m);
    const [pid] = workersOf(cli.temp);
    process.kill(pid, 'SIGSTOP');
    const { code, stdout, stderr, temp } = await cli.result;
    assert.equal(code, 4, stderr);
    const runs = JSON.parse(stdout).cells.map((/** @type {any} */ cell) => cell.runs);
    const failures = runs.flat().filter((/** @type {any} */ run) => run.failed !== null);
    assert.equal(failures.length, 1);
    assert.match(failures[0].failed, /had not ended after 3 s \(--run-timeout\)/);
    assert.equal(Math.max(...runs.map((/** @type {any[]} */ each) => each.length)), 3);
    assert.deepEqual(leftovers(temp), []);
  });

  it('that runs out of heap: its cell fails with that reason, the others go on', async function () {
    this.timeout(120_000);
    const { code, stdout, stderr, temp } = await startHere(
      [
        ...['--clients', 'ioredis', '--scenarios', 'shared-connection', '--tasks', '1', '--runs', '1'],
        // A batch keeps all of its replies, which are short enough for V8 to have them on its heap.
        ...['--pipelining', 'explicit:250,none', '--iterations', '250', '--size', '400000', '--keys', '1'],
        ...['--warmup-runs', '0', '--format', 'json'],
      ],
      { env: { NODE_OPTIONS: '--max-old-space-size=64' }, withinMs: 60_000 },
    ).result;
    assert.equal(code, 4, stderr);
    const [{ runs: hungry }, { runs: modest }] = JSON.parse(stdout).cells;
    assert.match(String(hungry[0].failed), /heap out of memory.*--max-old-space-size/);
    assert.deepEqual([modest.length, modest[0].failed], [1, null]);
    assert.deepEqual(leftovers(temp), []);
  });
});
