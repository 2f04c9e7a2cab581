import assert from 'node:assert/strict';
import table from '../../../src/report/formats/table.js';
import { latencyFixture } from '../../helpers/latency-fixture.js';
import { openLoopRun } from '../../helpers/open-loop-fixture.js';
import { createFixture } from '../../helpers/report-fixture.js';

const RUNS = 3;

/** @param {number} slow how many of 1,000 operations of a run took 80 ms instead of 1 ms */
const latencies = (slow) => Array.from({ length: 1000 }, (_, index) => (index < slow ? 80_000 : 1000));

/**
 * @param {number[]} aloneMs p99 of each run without background load
 * @param {number} slow with background load, how many operations of the first run of three are slow
 */
const reportOf = (aloneMs, slow) =>
  createFixture({
    given: {
      clients: 'redis',
      scenarios: 'shared-connection,pool',
      beside: ['none', 'GET 1mb @ 20/s'],
      rate: 1000,
      durationMs: 1000,
      runs: RUNS,
    },
    measured: ({ beside = [] }) => ({
      iterations: null,
      runs: Array.from({ length: RUNS }, (_, index) => ({
        ...openLoopRun(index + 1, {
          latenciesUs: beside.length > 0 ? latencies(index === 0 ? slow : 0) : [10],
          p99Us: beside.length > 0 ? undefined : aloneMs[index] * 1000,
        }),
        ...(beside.length > 0 && {
          parts: [
            {
              name: 'GET 1mb @ 20/s',
              company: true,
              count: 20,
              perSecond: 20,
              latency: latencyFixture([5000]),
            },
          ],
        }),
      })),
    }),
  });

describe('words/background-words', () => {
  it('a cell has one p99: in its table, in the table by command, and in the sentence', async () => {
    // So many that they are the p99 of all runs together.
    const report = await reportOf([100, 101, 102], 100);
    const [beside] = report.cells.filter(({ beside: parts = [] }) => parts.length > 0);
    assert.equal(Math.round(Number(beside.summary?.latency?.p99Us) / 1000), 80);
    const text = table.render(report, {
      width: 200,
      color: false,
      unicode: true,
      details: false,
      detailsCommand: null,
      plot: false,
    });
    assert.match(
      text,
      /with this background load: p50 .*, p99 1 ms instead of 100 ms, slowest 80 ms instead of 10 µs/,
    );
    const rows = text.split('\n').filter((line) => /^ +redis, (pool|shared)[^:]* 1 ms .* 80 ms/.test(line));
    assert.equal(rows.length, 4, text);
  });

  it('names the number of runs that would prove what every run had', async () => {
    const { comparisons } = await reportOf([100, 30_000, 300], 0);
    const sentences = comparisons
      .flatMap(({ outcome }) => outcome)
      .filter((text) => text.includes('with this background load'));
    assert.equal(sentences.length, 2);
    for (const text of sentences)
      assert.match(
        text,
        /p99 differed in every run; 3 runs are too few to rule out chance, about \d+ are needed/,
      );
  });

  it('are all in the details, because the first screen has room for two causes', async () => {
    const { comparisons } = await reportOf([100, 30_000, 300], 0);
    for (const { outcome, explanation } of comparisons) {
      assert.deepEqual(
        outcome.filter((text) => !explanation.includes(text)),
        [],
      );
    }
  });
});
