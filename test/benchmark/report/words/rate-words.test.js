import assert from 'node:assert/strict';
import { openLoopRun } from '../../../helpers/open-loop-fixture.js';
import { createFixture } from '../../../helpers/report-fixture.js';

/**
 * @import { Cell } from '../../../../src/core/plan/types.js'
 * @import { Run } from '../../../../src/core/store/types.js'
 */

const SLO_MS = 50;
/** The latencies of all runs together are not what is reported. */
const LATENCIES = [1000, 900_000];

/**
 * A report of an open loop whose runs had these p99 latencies.
 *
 * @param {number[]} p99sMs
 * @param {Record<string, number>} [server] figures of it
 * @param {Partial<Run>} [others] of each run
 */
const reportOf = (p99sMs, server, others = {}) =>
  createFixture({
    given: { clients: 'redis', scenarios: 'pool', rate: 1000, sloMs: `${SLO_MS}ms`, durationMs: 1000 },
    measured: () => ({
      iterations: null,
      runs: p99sMs.map((ms, index) => {
        const run = openLoopRun(index + 1, {
          latenciesUs: LATENCIES,
          p99Us: ms * 1000,
          held: ms <= SLO_MS,
        });
        return { ...run, ...others, server: { .../** @type {any} */ (run.server), ...server } };
      }),
    }),
  });

/**
 * @param {Record<string, unknown>} given
 * @param {(cell: Cell) => {p99Ms: number, held?: boolean}} found
 */
const adviceOf = async (given, found) =>
  (
    await createFixture({
      given: { rate: 1000, durationMs: 1000, ...given },
      measured: (cell) => {
        const { p99Ms, held } = found(cell);
        const runs = [1, 2, 3, 4, 5].map((round) =>
          openLoopRun(round, { latenciesUs: LATENCIES, p99Us: p99Ms * 1000 + round, held }),
        );
        return { iterations: null, runs };
      },
    })
  ).advice;

describe('words/rate-words', () => {
  it('and one that most did not, with one that did not', async () => {
    const { advice } = await reportOf([20, 60, 70, 80, 90]);
    assert.match(advice[0], /could not sustain any rate tried\. At 1,000\/s \(p99 70 ms\) /);
  });

  it('neither side nor the network is blamed where other threads of the server were at work', async () => {
    const main = { cpuUtilization: 0.25, busiestNodeUtilization: 0.25, cpuUsPerCommand: 10 };
    const { advice } = await reportOf([90, 90], { ...main, allThreadsCpuUsPerCommand: 40 });
    const said = advice.join(' ');
    assert.match(said, /the bottleneck is unknown \(.*server's main thread 25 %, all its threads 1\.0 CPUs/);
  });

  it('nor the network where other programs had the processor', async () => {
    const slice = {
      elapsedMs: 100,
      waitedMs: 60,
      serverWaitedMs: null,
      stolenMs: null,
      disturbed: true,
      repeats: 0,
    };
    const { advice } = await reportOf([90, 90], {}, { slices: [{ ...slice, operations: 100, cpuUs: 10 }] });
    assert.match(
      advice[0],
      /\(p99 90 ms\) it was starved of CPU 60 % of the time, so the real bottleneck is unknown/,
    );
  });

  it('names cells that sustained all rates once', async () => {
    const given = { clients: 'redis,ioredis', scenarios: 'pool,shared-connection' };
    const [first, ...others] = await adviceOf(given, ({ client, scenario }) => ({
      p99Ms: (client === 'redis' ? 1 : 3) * (scenario === 'pool' ? 1 : 2),
    }));
    assert.equal(
      first,
      'All 4 cells sustained 1,000/s. p99 from the scheduled start: 1 ms ("redis, pool of 3") to 6 ms ("ioredis, shared connection").',
    );
    assert.ok(others.some((text) => /^Conditions: local server only, .*8 tasks, 1,000\/s/.test(text)));
    assert.equal(others.filter((text) => text.includes(' sustained ')).length, 0);
  });
});
