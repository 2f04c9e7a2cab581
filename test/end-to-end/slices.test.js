import assert from 'node:assert/strict';
import { benchmark } from '../../src/index.js';

describe('a run in slices', () => {
  it('adds up to what its slices did, and the server counted exactly that', async () => {
    const report = await benchmark({
      ...{ clients: 'raw', scenarios: 'shared-connection,open-and-close', size: 10 },
      ...{ runs: 1, runTimeMs: 180, pin: 'off', profile: false },
    });
    for (const { runs, iterations, tasks } of report.cells) {
      for (const run of runs) {
        const slices = run.slices ?? [];
        assert.equal(slices.length, 3);
        const sum = (/** @type {'operations' | 'elapsedMs'} */ figure) =>
          slices.reduce((total, slice) => total + slice[figure], 0);
        assert.equal(sum('operations'), run.operations);
        assert.equal(run.operations, Number(iterations) * tasks);
        assert.ok(Math.abs(sum('elapsedMs') - Number(run.elapsedMs)) < 1e-6);
        assert.equal(run.latency?.count, run.operations);
        assert.ok(Number(run.server?.commands) >= run.commands);
        assert.ok(!run.warnings.some((warning) => /the run claims/.test(warning)), run.warnings.join());
      }
    }
  });

  it('an open loop, and a workload that starts empty, are measured in one piece', async () => {
    for (const options of [{ rate: 1000, durationMs: 200, warmupRuns: 0 }, { workload: 'hset' }]) {
      const { cells } = await benchmark({
        ...{
          clients: 'raw',
          scenarios: 'shared-connection',
          size: 10,
          runs: 1,
          runTimeMs: 300,
          pin: 'off',
          profile: false,
          ...options,
        },
      });
      assert.equal(cells[0].runs[0].slices?.length, 1);
    }
  });
});
