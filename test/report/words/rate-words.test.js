import assert from 'node:assert/strict';
import { latencyFixture } from '../../helpers/latency-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

const SLO_MS = 50;
/** The latencies of all runs together are not what is told. */
const LATENCY = latencyFixture([1000, 900_000]);

/**
 * A report of an open loop whose runs had these p99 latencies.
 *
 * @param {number[]} p99sMs
 * @param {Record<string, number>} [server] figures of it
 */
const reportOf = (p99sMs, server) =>
  createFixture({
    given: { clients: 'redis', scenarios: 'pool', rate: 1000, sloMs: `${SLO_MS}ms`, durationMs: 1000 },
    measured: () => ({
      iterations: null,
      runs: p99sMs.map((ms, index) => {
        const run = runOf(index + 1, ms);
        return { ...run, server: { .../** @type {any} */ (run.server), ...server } };
      }),
    }),
  });

/** @param {number} round @param {number} p99Ms */
function runOf(round, p99Ms) {
  const run = goodRun(round, { tasks: 1, iterations: 1000, averageMs: 1000 });
  const openLoop = {
    intendedPerSecond: 1000,
    held: p99Ms <= SLO_MS,
    achievedPerSecond: 1000,
    scheduled: 1000,
    sent: 1000,
    acknowledged: 1000,
    dropped: 0,
    failed: 0,
    waited: 0,
    unsent: 0,
    inFlightMax: 1,
    latenessP99Us: 1,
    latenessMaxUs: 1,
    latenessShares: { bound: 0, loop: 0, pacing: 1 },
    waitingShare: 0.5,
    latencyFromSend: null,
  };
  return { ...run, latency: { ...LATENCY, p99Us: p99Ms * 1000 }, openLoop };
}

describe('words/rate-words', () => {
  it('a rate that most runs held is told with a p99 that held too', async () => {
    const { advice, comparisons } = await reportOf([20, 30, 40, 45, 900]);
    assert.match(
      advice[0],
      /"redis, pool of 3" held 1,000 a second, p99 40 ms counted from the planned start/,
    );
    assert.match(comparisons[0].conclusion, /held 1,000 a second, p99 40 ms/);
  });

  it('and one that most did not, with one that did not', async () => {
    const { advice, comparisons } = await reportOf([20, 60, 70, 80, 90]);
    assert.match(advice[0], /held no rate that was tried: at 1,000 a second, p99 70 ms, /);
    assert.match(comparisons[0].conclusion, /held 1,000 a second only with p99 70 ms/);
  });

  it('neither side nor the network is blamed where other threads of the server were at work', async () => {
    const main = { cpuUtilization: 0.25, busiestNodeUtilization: 0.25, cpuUsPerCommand: 10 };
    const { advice } = await reportOf([90, 90], { ...main, allThreadsCpuUsPerCommand: 40 });
    const said = advice.join(' ');
    assert.match(
      said,
      /what gave way first cannot be said \(.*the server's main thread 25 %, all its threads on 1\.0 processors/,
    );
  });
});
