import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { evaluateAssertion } from '../../../../src/commands/benchmark/assertions.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';
import { adviceOf } from '../../../helpers/said.js';

/** @import { Slice } from '../../../../src/store/types.js' */

/** One iteration of 0.4 ms, where the others took 300 ms. */
const HELD_UP = { iterations: 1, averageMs: 0.4 };

/** @param {object} [given] */
const fixture = (given = {}) =>
  createFixture({
    given: { clients: 'redis', scenarios: 'shared-connection,pool,open-and-close', runs: 6, ...given },
    measured: ({ tasks, scenario }) => {
      const { iterations, averageMs } =
        scenario === 'pool'
          ? HELD_UP
          : { iterations: 100, averageMs: scenario === 'open-and-close' ? 400 : 300 };
      return {
        iterations,
        runs: [1, 2, 3, 4, 5, 6].map((round) => goodRun(round, { tasks, iterations, averageMs })),
      };
    },
  });

describe('commands/benchmark/judge/comparable', () => {
  it('ranks no cell whose runs were far shorter than planned', async () => {
    const { cells, comparisons } = await fixture();
    const ranked = comparisons[0].ranking.map(({ cell }) => cells.find(({ id }) => id === cell)?.scenario);
    assert.deepEqual(ranked, ['shared-connection', 'open-and-close']);
    const pool = cells.find(({ scenario }) => scenario === 'pool');
    // By its figures it would be the fastest by far.
    assert.ok(Number(pool?.summary?.opsPerSecond) > 7 * comparisons[0].ranking[0].opsPerSecond);
  });

  it('says so in every format, and decides no assertion by it', async () => {
    const report = await fixture();
    for (const format of ['table', 'markdown', 'html', 'realtime', 'go-bench', 'objects']) {
      const text = (await renderReport(report, format)).replaceAll(/\s+/g, ' ');
      assert.match(text, /its runs took 0\.4 ms, too short to compare/, format);
    }
    for (const strict of [false, true]) {
      const { outcome, figures } = evaluateAssertion('pool.opsPerSecond > 1', report.cells, strict);
      assert.deepEqual(
        [outcome, figures],
        ['not decided', ['pool.opsPerSecond cannot be decided: its runs were too short']],
      );
    }
  });

  it('takes short runs where the user asked for them', async () => {
    for (const given of [{ iterations: 1 }, { runTimeMs: 5 }]) {
      const { comparisons } = await fixture(given);
      assert.equal(comparisons[0].ranking.length, 3, JSON.stringify(given));
    }
  });

  /**
   * @param {number} averageMs of the pool, which was not warm, where the others took 300 and 400 ms
   * @param {string[]} [cold] scenarios
   */
  const withColdPool = (averageMs, cold = ['pool']) =>
    createFixture({
      given: { clients: 'redis', scenarios: 'shared-connection,pool,open-and-close', runs: 6 },
      measured: ({ tasks, scenario }) => {
        const isPool = cold.includes(scenario);
        const given = { pool: averageMs, 'open-and-close': 400 }[scenario] ?? 300;
        const runs = [1, 2, 3, 4, 5, 6].map((round) => ({
          ...goodRun(round, { tasks, iterations: 100, averageMs: given }),
          start: 1,
          slices: isPool ? [sliceOf(100 / round)] : [],
        }));
        return { iterations: 100, runs };
      },
    });

  it('names no fastest where one that was not warm is far ahead of it', async () => {
    const report = await withColdPool(100);
    const advice = adviceOf(report);
    assert.match(
      advice[0],
      /^The fastest is not known: .*pool of 3" was far ahead of all others, but not yet warm/,
    );
    const near = await withColdPool(200);
    assert.doesNotMatch(adviceOf(near).join(), /not known/);
    assert.equal(near.comparisons[0].ranking.length, 2, 'it is not ranked all the same');
  });

  it('ranks cells after one run each, and says what that does not show', async () => {
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'shared-connection,pool', runs: 1 },
      measured: ({ tasks, scenario }) => ({
        iterations: 100,
        runs: [goodRun(1, { tasks, iterations: 100, averageMs: scenario === 'pool' ? 400 : 300 })],
      }),
    });
    assert.match(adviceOf(report)[0], /^One start of each does not decide what is faster/);
  });

  it('says how many cells were not warm where that leaves nothing to compare', async () => {
    for (const cold of [
      ['pool', 'open-and-close'],
      ['shared-connection', 'pool', 'open-and-close'],
    ]) {
      const advice = adviceOf(await withColdPool(300, cold));
      const says = new RegExp(`^Not warm when timed, so nothing to compare: ${cold.length} of 3 cells`);
      assert.match(advice[0], says);
    }
  });
});

/** @param {number} cpuUs @returns {Slice} */
const sliceOf = (cpuUs) => ({
  ...{
    elapsedMs: 10,
    operations: 1,
    cpuUs,
    waitedMs: 0,
    serverWaitedMs: null,
    stolenMs: 0,
  },
  ...{ disturbed: false, repeats: 0 },
});
