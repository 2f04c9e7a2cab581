import assert from 'node:assert/strict';
import { evaluateAssertion } from '../../../../src/commands/benchmark/assertions.js';
import { withAssertions } from '../../../../src/commands/benchmark/conclude.js';
import { latencyFixture } from '../../../helpers/latency-fixture.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/** @import { CellResult } from '../../../../src/store/types.js' */

/** Operations a second by scenario; open-and-close was not run. @type {Record<string, number>} */
const OPS = { 'shared-connection': 4000, 'connection-per-task': 2000, pool: 1000 };

describe('assertions/evaluate', () => {
  /** @type {CellResult[]} */
  let cells;
  before(async () => {
    const report = await createFixture({
      given: { clients: 'redis', runs: 6 },
      measured: ({ scenario, tasks }) => {
        if (!(scenario in OPS)) return null;
        const averageMs = (tasks * 100 * 1000) / OPS[scenario];
        return {
          iterations: 100,
          runs: [1, 2, 3, 4, 5, 6].map((round) => goodRun(round, { tasks, iterations: 100, averageMs })),
        };
      },
    });
    cells = report.cells;
  });

  /** @param {string} text @param {boolean} [strict] */
  const decide = (text, strict = false) => evaluateAssertion(text, cells, strict);

  for (const [text, expected] of /** @type {[string, boolean][]} */ ([
    ['shared-connection.opsPerSecond >= 1.99 * connection-per-task.opsPerSecond', true],
    ['shared-connection.opsPerSecond > 2.01 * connection-per-task.opsPerSecond', false],
    ['shared-connection.opsPerSecond <= 201% * connection-per-task.opsPerSecond', true],
    ['shared-connection.opsPerSecond < 199 % * connection-per-task.opsPerSecond', false],
    ['pool.opsPerSecond > 1 and pool.opsPerSecond < 1', false],
    ['2000 > pool.opsPerSecond and 1 < 2', true],
    ['pool.cpuUsPerOp <= 20 and pool.peakRssBytes < 81e6', true],
  ])) {
    it(`${text}: ${expected}`, () => assert.equal(decide(text).outcome, expected ? 'holds' : 'failed'));
  }

  it('says what both sides came to', () => {
    const { outcome, figures } = decide('pool.opsPerSecond >= 1.5 * shared-connection.opsPerSecond');
    assert.equal(outcome, 'failed');
    assert.deepEqual(figures, [
      'pool.opsPerSecond is 1,000',
      '1.5 * shared-connection.opsPerSecond is 6,000',
    ]);
  });

  describe('of times', () => {
    const work = {
      pool: { iterations: 7, averageMs: 70 },
      'open-and-close': { iterations: 180, averageMs: 90 },
    };
    /** @type {CellResult[]} */
    let unlike;
    before(async () => {
      const report = await createFixture({
        given: { clients: 'redis', scenarios: Object.keys(work), runs: 6 },
        measured: ({ scenario, tasks }) => {
          const { iterations, averageMs } = work[/** @type {'pool'} */ (scenario)];
          return {
            iterations,
            runs: [1, 2, 3, 4, 5, 6].map((round) => goodRun(round, { tasks, iterations, averageMs })),
          };
        },
      });
      unlike = report.cells;
    });

    for (const strict of [false, true]) {
      it(`compares cells as if they had done the same iterations${strict ? ', strictly too' : ''}`, () => {
        // 10 ms an iteration are slower than 0.5 ms, whatever the runs took.
        const { outcome, figures } = evaluateAssertion(
          'pool.averageMs < open-and-close.averageMs',
          unlike,
          strict,
        );
        assert.equal(outcome, 'failed');
        assert.deepEqual(figures.slice(0, 2), ['pool.averageMs is 70', 'open-and-close.averageMs is 3.5']);
        assert.match(figures[2], /of 7 iterations/);
      });
    }

    it('takes them as they are where each stands beside a number', () => {
      const { outcome, figures } = evaluateAssertion(
        'pool.averageMs < 71 and open-and-close.averageMs > 89',
        unlike,
        false,
      );
      assert.equal(outcome, 'holds');
      assert.deepEqual(figures, ['pool.averageMs is 70', 'open-and-close.averageMs is 90']);
    });
  });

  it('says which statistic a percentile is, and does not hold where too few operations show it', () => {
    const withLatency = (/** @type {number} */ count) =>
      cells.map((cell) => {
        const latency = latencyFixture(Array.from({ length: count }, () => 16_000));
        const intervals = { ...cell.summary?.intervals, p99Us: { low: 15_500, high: 16_500, level: 0.95 } };
        return cell.summary ? { ...cell, summary: { ...cell.summary, latency, intervals } } : cell;
      });
    const [few, enough] = [99, 100].map((count) =>
      evaluateAssertion('pool.p99Us < 20000', withLatency(count), false),
    );
    assert.deepEqual(
      [few.outcome, few.figures],
      ['not decided', ['pool.p99Us cannot be decided: too few operations']],
    );
    assert.equal(enough.outcome, 'holds');
    assert.match(
      enough.figures.join(),
      /^pool\.p99Us is 1[56],\d+ of all runs together \(15,500 to 16,500\)$/,
    );
  });

  it('does not hold, either way round, where a figure was not measured', () => {
    for (const text of [
      'open-and-close.opsPerSecond < 1',
      'open-and-close.opsPerSecond >= 1',
      'pool.p99Us < 1e9',
    ]) {
      const { outcome, figures } = decide(text);
      assert.equal(outcome, 'failed', text);
      assert.match(figures.join(), /was not measured/);
    }
  });

  describe('strictly', () => {
    /** @param {Record<string, [number, number]>} intervals */
    function withIntervals(intervals) {
      return cells.map((cell) => {
        const [low, high] = intervals[cell.scenario] ?? [];
        const interval = low === undefined ? null : { low, high, level: 0.95 };
        const all = { opsPerSecond: interval, averageMs: null, cpuUsPerOp: null, p99Us: null };
        return cell.summary ? { ...cell, summary: { ...cell.summary, intervals: all } } : cell;
      });
    }
    const FIGURES = {
      'shared-connection': /** @type {[number, number]} */ ([3900, 4100]),
      pool: /** @type {[number, number]} */ ([900, 1100]),
    };

    for (const [text, expected] of /** @type {[string, boolean][]} */ ([
      // 3900 against 3.5 × 1100, and against 3.6 × 1100.
      ['shared-connection.opsPerSecond >= 3.5 * pool.opsPerSecond', true],
      ['shared-connection.opsPerSecond >= 3.6 * pool.opsPerSecond', false],
      ['shared-connection.opsPerSecond <= 3.6 * pool.opsPerSecond', false],
    ])) {
      it(`${text}: ${expected}`, () =>
        assert.equal(
          evaluateAssertion(text, withIntervals(FIGURES), true).outcome,
          expected ? 'holds' : 'failed',
        ));
    }

    it('shows the intervals', () => {
      const { figures } = evaluateAssertion('pool.opsPerSecond > 950', withIntervals(FIGURES), true);
      assert.deepEqual(figures, ['pool.opsPerSecond is 1,000 (900 to 1,100)']);
    });
    it('is not decided without an interval, and names --runs', () => {
      const { outcome, figures } = evaluateAssertion('pool.opsPerSecond > 1', withIntervals({}), true);
      assert.equal(outcome, 'not decided');
      assert.match(figures.join(), /--runs/);
    });
  });

  describe('of two cells of one group', () => {
    // Starts differ by a third, cells within one by little.
    const LUCK = [1, 0.8, 1.1, 0.9, 1.25, 0.95];
    const NOISE = [1, 1.01, 0.99, 1.015, 0.985, 1];

    /**
     * @param {number} ratio of the speeds of pool and shared connection
     * @param {{summary?: object, isStrict?: boolean, startOf?: (round: number) => number}} [options] `summary`: what theirs have
     */
    async function outcomeOf(ratio, { summary = {}, isStrict = false, startOf = (round) => round } = {}) {
      const report = await createFixture({
        given: { clients: 'redis', scenarios: 'shared-connection,pool', runs: 6 },
        measured: ({ scenario, tasks }) => ({
          iterations: 100,
          runs: LUCK.map((luck, index) => ({
            ...goodRun(index + 1, {
              tasks,
              iterations: 100,
              averageMs: scenario === 'pool' ? (100 * luck * NOISE[index]) / ratio : 100 * luck,
            }),
            start: startOf(index + 1),
          })),
        }),
      });
      for (const cell of report.cells) Object.assign(/** @type {object} */ (cell.summary), summary);
      const assert = ['pool.opsPerSecond >= 0.9 * shared-connection.opsPerSecond'];
      const [verdict] = withAssertions(report, { assert, assertStrict: isStrict }).assertions;
      return verdict;
    }

    for (const [ratio, expected, strictly] of /** @type {[number, string, string][]} */ ([
      [1, 'holds', 'holds'],
      [0.9, 'not decided', 'failed'],
      [0.8, 'failed', 'failed'],
    ])) {
      it(`${ratio} times as fast: ${expected}, by the ratio within the same starts`, async () => {
        const { outcome, figures } = await outcomeOf(ratio);
        assert.equal(outcome, expected);
        assert.equal((await outcomeOf(ratio, { isStrict: true })).outcome, strictly);
        assert.match(
          figures[2],
          /^pool\.opsPerSecond \/ shared-connection\.opsPerSecond is [\d.]+ \([\d.]+ to [\d.]+\)$/,
        );
      });
    }

    it('is not decided by runs of one start each, whatever they show', async () => {
      const { outcome, figures } = await outcomeOf(0.5, { startOf: () => 1 });
      assert.equal(outcome, 'not decided');
      assert.deepEqual(figures, [
        'pool.opsPerSecond and shared-connection.opsPerSecond were not compared: use --starts 4',
      ]);
    });

    it('is not decided where one waited for CPU, strictly neither', async () => {
      const waits = { slices: 10, disturbed: 9, repeats: 0, waitedShare: 0.62, stolenShare: null };
      for (const isStrict of [false, true]) {
        const { outcome, figures } = await outcomeOf(0.5, { summary: { waits }, isStrict });
        assert.equal(outcome, 'not decided');
        assert.match(
          figures[0],
          /^pool\.opsPerSecond cannot be decided: it waited for CPU 62 % of the time$/,
        );
      }
    });
  });
});
