import assert from 'node:assert/strict';
import { openLoopRun } from '../../helpers/open-loop-fixture.js';
import { createFixture } from '../../helpers/report-fixture.js';

/** @import { Run } from '../../../src/results/types.js' */

const RUN_MS = 30_000;

/**
 * What is said of a cell whose runs took half a minute, with 3,000 operations each.
 * @param {number} runs @param {(index: number) => Partial<NonNullable<Run['settled']>>} settled
 * @param {(index: number) => number} [cpuUsPerOp]
 */
async function reportOf(runs, settled, cpuUsPerOp = () => 40) {
  const { advice, details } = await createFixture({
    given: { clients: 'redis', scenarios: 'pool', rate: 100, durationMs: RUN_MS, runs },
    measured: () => ({
      iterations: null,
      runs: Array.from({ length: runs }, (_, index) => {
        const run = openLoopRun(index + 1, { latenciesUs: [1000] });
        return {
          ...run,
          ...{ elapsedMs: RUN_MS, operations: 3000 },
          client: { .../** @type {any} */ (run.client), cpuUsPerOp: cpuUsPerOp(index) },
          settled: { heapBytes: 16e6, sockets: 3, ...settled(index) },
        };
      }),
    }),
  });
  return { advice: advice.filter((text) => /memory|connections|CPU per/.test(text)), details };
}

const STEADY = [
  '"redis, pool of 3": no growth in 30 min: memory after garbage collection, the number of connections and CPU per operation.',
];

describe('findings/growth', () => {
  it('says how much memory grows per hour and per operation', async () => {
    const { advice } = await reportOf(60, (index) => ({ heapBytes: 16e6 + index * 3e5 + (index % 3) * 1e4 }));
    assert.deepEqual(advice, [
      '"redis, pool of 3": memory after garbage collection grows by 36 MB per hour (36 to 36) from 21 MB, 100 bytes per operation.',
    ]);
  });

  it('says what did not grow, and in the details what could have been missed', async () => {
    const { advice, details } = await reportOf(60, (index) => ({ heapBytes: 16e6 + (index % 5) * 1e4 }));
    assert.deepEqual(advice, STEADY);
    assert.match(
      details.join('\n'),
      /collection: 0\.019 MB per hour \(0 to 0\.044\) from 16 MB, 99 % interval/,
    );
  });

  it('accuses nobody of what comes to an end, or of what is too little to matter', async () => {
    const filling = await reportOf(60, (index) => ({ heapBytes: 16e6 + 5e6 * (1 - Math.exp(-index / 15)) }));
    const little = await reportOf(60, (index) => ({ heapBytes: 16e6 + index * 3000 }));
    assert.deepEqual([filling.advice, little.advice], [STEADY, STEADY]);
  });

  it('finds connections that are never closed, and operations that take ever more CPU', async () => {
    const { advice } = await reportOf(
      60,
      (index) => ({ sockets: 3 + Math.floor(index / 4) }),
      (index) => 40 + index,
    );
    assert.deepEqual(advice, [
      '"redis, pool of 3": the number of connections grows by 30 per hour (27 to 33) from 7.',
      '"redis, pool of 3": CPU per operation grows by 120 µs per hour (120 to 120) from 57 µs.',
    ]);
  });

  it('says how many more runs it takes', async () => {
    const { advice } = await reportOf(10, () => ({}));
    assert.deepEqual(advice, [
      '"redis, pool of 3": too short to say whether memory grows; 14 more runs would show it.',
    ]);
  });
});
