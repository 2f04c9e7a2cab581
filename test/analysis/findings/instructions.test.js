import assert from 'node:assert/strict';
import { evaluateAssertion } from '../../../src/analysis/assertions/evaluate.js';
import { compareReports, renderReport } from '../../../src/index.js';
import { countedVersionGrid } from '../../../src/report/tables/group-grids.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';
import { schemaErrors } from '../../helpers/report-schema.js';
import { versionReport } from '../../helpers/version-fixture.js';

/** @import { CountedStart } from '../../../src/results/types.js' */

/** @param {number} instructionsPerOp @param {number} start @param {Partial<CountedStart>} more @returns {CountedStart} */
const countedAs = (instructionsPerOp, start, more) => ({
  ...{ start, source: 'valgrind', fixed: [], slices: [] },
  counted: {
    instructionsPerOp,
    instructionsPerCommand: instructionsPerOp,
    kernelInstructionsPerOp: null,
    commandsPerRead: 8,
  },
  ...more,
});

/** @param {Record<string, number[]>} perOp by client, one of each start @param {Partial<CountedStart>} [more] */
const reportOf = (perOp, more = {}) =>
  createFixture({
    given: { clients: Object.keys(perOp), scenarios: 'pool', runs: 6, starts: 1, count: 'on' },
    measured: ({ tasks, client, variant }) => ({
      iterations: 100,
      runs: [1, 2, 3, 4, 5, 6].map((round) =>
        goodRun(round, { tasks, iterations: 100, averageMs: 100 + ((round * 7) % 3) }),
      ),
      counted: perOp[variant === 'default' ? client : `${client}:${variant}`].map((each, index) =>
        countedAs(each, index + 1, more),
      ),
    }),
  });

describe('instructions per operation', () => {
  it('are claimed as what they are, with whether the difference shows in time', async () => {
    const report = await reportOf({ redis: [50100, 50000, 49900], ioredis: [10020, 10000, 9980] });
    assert.deepEqual(schemaErrors(report), []);
    const [{ explanation, outcome }] = report.comparisons;
    const claim = explanation.find((text) => text.includes('the instructions'));
    assert.match(
      String(claim),
      /^"redis, pool of 3" executes 5\.0x the instructions per operation of "ioredis, pool of 3" \(±0\.\d %\); in time, no difference was shown\.$/,
    );
    assert.ok(outcome.includes(String(claim)));
    const [redis] = report.cells;
    assert.equal(redis.summary?.counted?.instructionsPerOp, 50000);
    const { low, high } = redis.summary?.intervals.instructionsPerOp ?? {};
    assert.ok(Number(low) < 50000 && Number(low) > 49700 && Number(high) > 50000 && Number(high) < 50300);
  });

  it('are not claimed to differ where starts do', async () => {
    const { findings } = await reportOf({ redis: [10000, 10300, 9800], ioredis: [9900, 10200, 10100] });
    const found = findings.flatMap((finding) => (finding.kind === 'instructions' ? finding : []));
    assert.deepEqual(
      found.map(({ others }) => others.map(({ differs }) => differs)),
      [[false]],
    );
  });

  it('say where commands met in other batches while they were counted', async () => {
    const report = await reportOf(
      { redis: [100, 101], ioredis: [200, 201] },
      { counted: { ...countedAs(100, 1, {}).counted, commandsPerRead: 64 } },
    );
    assert.match(report.comparisons[0].explanation.join('\n'), /the server read 64\.0 commands at a time/);
  });

  it('have a row for each start in csv, and decide assertions and comparisons', async () => {
    const base = await reportOf({ redis: [100, 101, 100] });
    const next = await reportOf({ redis: [103, 104, 103] });
    const csv = await renderReport(base, 'csv');
    const [head, ...rows] = csv.trim().split('\n');
    const column = head.split(',').indexOf('instructionsPerOp');
    assert.deepEqual(rows.map((row) => row.split(',')[column]).filter(Boolean), ['100', '101', '100']);
    const [{ ratio, contrast }] = (await compareReports(base, next, { metric: 'instructionsPerOp' })).cells;
    assert.equal(ratio, 1.03);
    assert.equal(contrast?.differs, true);
    const uncounted = await reportOf({ redis: [] });
    await assert.rejects(
      () => compareReports(base, uncounted, { metric: 'instructionsPerOp' }),
      /measure both with --count on/,
    );
    const text = 'redis.instructionsPerOp < 102';
    assert.equal(evaluateAssertion(text, base.cells, false).holds, true);
    assert.deepEqual(evaluateAssertion(text, uncounted.cells, false).figures, [
      'redis.instructionsPerOp was not counted: add --count on',
    ]);
  });

  it('stand in the table and the charts of releases', async () => {
    const report = await versionReport('redis@5.12.1,redis@6.3.1', {
      counted: ({ release }) =>
        [1, 2, 3].map((start) =>
          countedAs(release?.version === '6.3.1' ? 50000 + start : 10000 + start, start, {}),
        ),
    });
    const grid = countedVersionGrid(report.cells, report.comparisons[0]);
    assert.equal(grid?.columns[0].title, 'instr/op');
    assert.deepEqual(
      grid?.rows.map(({ texts }) => texts),
      [
        ['10,002', '0.20x', ''],
        ['50,002', '', '5.0x'],
      ],
    );
    assert.match(await renderReport(report, 'html'), /6\.3\.1, start 2: 50,002/);
  });

  it('of two sources are not compared', async () => {
    const base = await reportOf({ redis: [100, 101] });
    const next = await reportOf({ redis: [100, 101] }, { source: 'perf' });
    await assert.rejects(
      () => compareReports(base, next, { metric: 'instructionsPerOp' }),
      /counted by valgrind, the other by perf/,
    );
  });
});
