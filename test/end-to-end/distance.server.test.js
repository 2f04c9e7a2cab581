import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { childrenOf } from '../helpers/processes.js';
import { assertSound } from '../helpers/sound.js';
import { until } from '../helpers/until.js';

/** @import { Report, Run } from '../../src/store/types.js' */

const SMALL = { size: 10, runs: 1, iterations: 20, warmupRuns: 0, pin: 'off', profile: false };

/**
 * @param {Record<string, unknown>} options
 * @param {Parameters<typeof benchmark>[1]} [hooks]
 */
const measure = (options, hooks) => benchmark({ ...SMALL, ...options }, { stateFolder: null, ...hooks });

/** @param {Report} report @returns {{id: string, client: string, scenario: string, rttMs: number | null, run: Run}[]} */
const runsOf = ({ cells }) =>
  cells.flatMap(({ id, client, scenario, distance, runs }) =>
    runs.map((run) => ({ id, client, scenario, rttMs: distance?.rttMs ?? null, run })),
  );

/** @param {Run} run @param {number} roundTrips @param {number} rttMs */
function assertNoSooner(run, roundTrips, rttMs) {
  // The recorder rounds to 0.2 %, and the relay takes up to 30 µs off, twice, for being woken up. Not the soonest: the
  // clock is read once a turn, and where the worker is interrupted in a turn, replies come in that are timed before it.
  const leastUs = roundTrips * (rttMs * 1000 * 0.998 - 60);
  assert.ok(Number(run.latency?.p50Us) >= leastUs, `${run.latency?.p50Us} µs`);
}

/** Those that this process has started. */
const relays = () => childrenOf('relay-entry.js');

describe('at a distance', function () {
  this.timeout(120_000);

  it('every reply takes the round trip, an opened connection two more, and the relay tells how exact it is', async () => {
    const report = await measure({
      clients: NIGHTLY ? 'ioredis,raw' : 'ioredis',
      scenarios: 'shared-connection,open-and-close',
      rtt: '0,5ms',
      iterations: 6,
    });
    assertSound(report);
    for (const { id, run, rttMs, scenario, client } of runsOf(report)) {
      assert.equal(rttMs === null, run.relay === undefined, id);
      if (rttMs === null) continue;
      // To set itself up, every client but the floor asks something first.
      const opening = client === 'raw' ? 2 : 3;
      assertNoSooner(run, scenario === 'open-and-close' ? opening : 1, rttMs);
      assert.ok(Number.isFinite(run.relay?.lateP50Us), id);
      assert.equal(run.relay?.pauses, 0);
    }
    const groups = report.comparisons.map(({ group }) => group);
    assert.deepEqual(groups, ['get/standalone/10x10/64 keys/8', 'get/standalone/10x10/64 keys/8/rtt-5ms']);
    const [distance, ...others] = report.distances ?? [];
    assert.deepEqual([distance.group, others.length], [groups[1], 0]);
    assert.ok(distance.distant.p50Us >= 5000 && distance.direct.p50Us < distance.distant.p50Us);
    assert.ok(report.findings.some(({ kind, group }) => kind === 'distance' && group === groups[1]));
  });

  it('a run has as many iterations as fit into its time from there', async () => {
    const { cells } = await measure({
      ...{ clients: 'raw', scenarios: 'shared-connection', rtt: '10ms', iterations: undefined },
      warmupRuns: 1,
    });
    const [{ slices }] = cells[0].runs;
    // At most 60 ms for the sake of its iterations, and the clock may be read a little early.
    assert.ok(Number(cells[0].iterations) <= 7 * Number(slices?.length), `${cells[0].iterations} in all`);
  });

  it('the server reads as many commands at once as without the relay', async () => {
    const report = await measure({
      clients: 'raw',
      scenarios: 'shared-connection',
      pipelining: 'explicit:10',
      tasks: 1,
      rtt: '0,relay,2ms',
      iterations: 100,
    });
    const runs = runsOf(report);
    assert.equal(runs.length, 3);
    assertSound(report);
    for (const { run, id } of runs) assert.equal(run.server?.commandsPerRead, 10, id);
  });

  it('clients reach the nodes of a cluster through it, and are sent nowhere else', async () => {
    const report = await measure({
      clients: 'redis,ioredis',
      scenarios: 'shared-connection',
      topology: 'cluster',
      transport: 'tls',
      rtt: '3ms',
      // Less than the limit of the test, so that the tool names the cell that hangs.
      runTimeoutMs: 20_000,
    });
    const runs = runsOf(report);
    assert.equal(runs.length, 2);
    assertSound(report);
    for (const { run } of runs) {
      assertNoSooner(run, 1, 3);
      assert.deepEqual([run.server?.moved, run.server?.asked], [0, 0]);
      assert.ok(run.server?.nodes?.every(({ commands }) => Number(commands) > 0));
    }
  });

  it('is kept in every way of running: processes, one processor, a rate, jitter', async () => {
    const scenarios = 'shared-connection';
    const reports = [
      await measure({
        clients: 'raw',
        scenarios,
        processes: 2,
        pin: 'same',
        rtt: '4ms',
        jitter: '50%',
      }),
      await measure({
        ...{ clients: 'raw', scenarios, iterations: undefined },
        ...{ rate: 500, durationMs: 300, rtt: '4ms' },
      }),
    ];
    assert.deepEqual(
      reports.map((report) => runsOf(report).length),
      [1, 1],
    );
    reports.forEach(assertSound);
    for (const { id, run } of reports.flatMap(runsOf)) {
      assertNoSooner(run, id.includes('jitter') ? 0.5 : 1, 4);
    }
    assert.match(reports[0].cells[0].id, /\/rtt-4ms jitter-50%$/);
  });

  it('a relay that dies fails its cells by name, and the others go on', async () => {
    let group = -1;
    const report = await measure(
      {
        clients: 'raw',
        scenarios: 'shared-connection',
        rtt: '2ms,1ms',
        iterations: 100,
      },
      {
        onEvent(event) {
          if (event.type === 'group') group = event.index;
          if (event.type === 'run' && group === 0) for (const pid of relays()) process.kill(pid, 'SIGKILL');
        },
      },
    );
    for (const { distance, runs } of report.cells) {
      const failures = runs.flatMap(({ failed }) => failed ?? []);
      if (distance?.rttMs !== 2) assert.deepEqual(failures, []);
      else assert.match(failures.join('\n'), /^the relay, which delays the traffic, was killed by SIGKILL/);
    }
    await until('the end of every relay', () => relays().length === 0);
  });
});
