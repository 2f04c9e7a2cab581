import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { startRedis } from '../helpers/redis-server.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

const SMALL = {
  ...{ scenarios: 'shared-connection', tasks: 8, size: 50, runs: 1, warmupRuns: 0, iterations: 500 },
  ...{ pin: 'off', profile: false },
};

/** @param {BenchmarkOptions} options */
async function runOf(options) {
  const { cells } = await benchmark({ ...SMALL, ...options });
  const [cell] = cells;
  assert.equal(cell.runs[0]?.failed, null, JSON.stringify(cell.runs));
  return { cell, run: cell.runs[0] };
}

describe('the figures of a run', () => {
  it('latencies: one for each operation, and they fill the time of the tasks', async () => {
    // What is not in latencies is before the first turn and after the last one: so many that a pause there is little.
    const { run } = await runOf({ clients: 'raw', iterations: 20_000 });
    assert.ok(run.latency);
    assert.equal(run.latency.count, run.operations);
    // A closed loop: the latencies of all tasks add up to the time of all tasks.
    const together = (run.latency.meanUs * run.latency.count) / 1000;
    const elapsed = run.taskElapsedMs.reduce((sum, ms) => sum + ms, 0);
    assert.ok(Math.abs(together / elapsed - 1) < 0.05, `${together} ms of latencies in ${elapsed} ms`);
    const { minUs, p50Us, p90Us, p99Us, p999Us, maxUs } = run.latency;
    const ordered = [minUs, p50Us, p90Us, p99Us, p999Us, maxUs];
    assert.deepEqual(
      ordered,
      [...ordered].sort((a, b) => a - b),
    );
  });

  it('the server counts the commands, their bytes without those of the own INFO, and how they were batched', async () => {
    const { run: shared } = await runOf({ clients: 'raw' });
    assert.equal(shared.server?.commands, shared.operations);
    const request = '*2\r\n$3\r\nGET\r\n$50\r\n\r\n'.length + 50;
    const reply = '$50\r\n\r\n'.length + 50;
    assert.equal(shared.server?.netInputBytes, shared.operations * request);
    assert.equal(shared.server?.netOutputBytes, shared.operations * reply);
    assert.ok(
      Number(shared.server?.commandsPerRead) > 6,
      `${shared.server?.commandsPerRead} commands a read`,
    );
    const { run: apart } = await runOf({ clients: 'raw', scenarios: 'connection-per-task' });
    assert.ok(Math.abs(Number(apart.server?.commandsPerRead) - 1) < 0.1, `${apart.server?.commandsPerRead}`);
  });

  it('connections that are opened for each operation are counted by both sides', async () => {
    const { run } = await runOf({ clients: 'raw', scenarios: 'open-and-close', iterations: 20 });
    assert.equal(run.connections, 8 * 20);
    assert.equal(run.server?.connections, 8 * 20);
  });

  it('the client has a cost, and a heap that it allocates on', async () => {
    const { run } = await runOf({ clients: 'redis' });
    const { client } = run;
    assert.ok(client);
    assert.ok(Number(client.cpuUsPerOp) > 0 && Number(client.cpuUtilization) <= 2, JSON.stringify(client));
    assert.ok(client.eventLoopUtilization > 0 && client.eventLoopUtilization <= 1);
    // Each command of this client is a promise and a node in a list, and some strings.
    assert.ok(Number(client.allocatedBytesPerOp) > 200, `${client.allocatedBytesPerOp} bytes`);
    assert.ok(client.peakRssBytes > 20e6);
  });
});

describe('odd servers', () => {
  it('one that forbids INFO is measured, and the gap is explained', async () => {
    const server = await startRedis();
    try {
      await server.query('ACL', 'SETUSER', 'default', '-info');
      const { run } = await runOf({ clients: 'raw', url: `redis://127.0.0.1:${server.port}` });
      assert.equal(run.server?.commands, null);
      assert.match(run.warnings.join(), /the user may not call INFO \(ACL SETUSER USER \+info\)/);
      assert.ok(Number(run.opsPerSecond) > 0);
    } finally {
      await server.stop();
    }
  });

  it('one that tells few figures gives null for the others, never 0', async () => {
    const server = await startFakeRedis(() => undefined);
    try {
      const { run, cell } = await runOf({ clients: 'raw', url: server.url });
      const { commands, commandsPerRead, cpuUsPerCommand } = run.server ?? {};
      assert.deepEqual([commands, commandsPerRead, cpuUsPerCommand], [null, null, null]);
      assert.notEqual(cell.summary?.bottleneck.limit, 'round-trips');
    } finally {
      await server.stop();
    }
  });

  it('one whose reply is wrong by one byte is found out by raw', async () => {
    let gets = 0;
    let stored = '';
    const server = await startFakeRedis((command, [, value]) => {
      if (command === 'SET') stored = value;
      if (command === 'GET' && ++gets === 100) return bulk(`${stored.slice(0, -1)}!`);
      return undefined;
    });
    try {
      const { cells } = await benchmark({ ...SMALL, clients: 'raw', url: server.url });
      assert.match(String(cells[0].runs[0].failed), /^1 wrong reply.*GET replied/);
      assert.equal(cells[0].runs[0].wrongReplies, 1);
    } finally {
      await server.stop();
    }
  });
});
