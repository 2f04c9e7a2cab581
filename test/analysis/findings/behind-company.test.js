import assert from 'node:assert/strict';
import { openLoopRun } from '../../helpers/open-loop-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

const DISTURBED = { waitedMs: 600, serverWaitedMs: 100, stolenMs: 0, disturbed: true, repeats: 0 };
const SLICE = { elapsedMs: 1000, operations: 1000, cpuUs: 1000, serverCpuUs: 1000, ...DISTURBED };

/** @param {Record<string, unknown>} given @param {number} p50Us on a machine that others use */
const reportOf = (given, p50Us) =>
  createFixture({
    given: { clients: 'ioredis', scenarios: 'shared-connection', beside: 'BLPOP 1s', ...given },
    measured: ({ openLoop, tasks }) => ({
      iterations: 100,
      runs: [1, 2, 3, 4, 5].map((round) => {
        const rated = openLoopRun(round, { latenciesUs: [p50Us], held: false });
        const closed = goodRun(round, { tasks, iterations: 100, averageMs: 1000 });
        const run = openLoop === null ? { ...closed, latency: rated.latency } : rated;
        const client = /** @type {any} */ ({
          ...run.client,
          eventLoopUtilization: 0.05,
          cpuUtilization: 0.05,
        });
        return { ...run, client, slices: [SLICE] };
      }),
    }),
  });

describe('behind a blocking read', () => {
  for (const [what, given] of /** @type {const} */ ([
    ['an open loop', { rate: 1000, durationMs: 1000, sloMs: 50 }],
    ['a closed loop', {}],
  ])) {
    it(`${what} is limited by that, not by other programs`, async () => {
      const { explanation } = (await reportOf(given, 480_000)).comparisons[0];
      assert.match(
        explanation.join(' '),
        /operations wait behind BLPOP 1s on the same connection \(p50 480 ms\)/,
      );
      assert.doesNotMatch(explanation.join(' '), /other programs/);
      const short = (await reportOf(given, 2000)).comparisons[0].explanation;
      assert.match(short.join(' '), /other programs/);
    });
  }
});
