import assert from 'node:assert/strict';
import { list } from '../../src/cli/commands/list.js';
import { renderReport } from '../../src/cli/render.js';
import { compareReports } from '../../src/commands/benchmark/compare-reports.js';
import { withAssertions } from '../../src/commands/benchmark/conclude.js';
import { hasInterval, METRICS } from '../../src/store/metrics.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

/** @import { Metric } from '../../src/store/types.js' */

/** @param {number} bytes that the server received in a run */
const fixture = (bytes) =>
  createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'pool', runs: 6 },
    measured: ({ tasks, client }) => ({
      iterations: 100,
      runs: [1, 2, 3, 4, 5, 6].map((round) => {
        const run = goodRun(round, { tasks, iterations: 100, averageMs: 100 + round });
        const factor = client === 'redis' ? 1 : 2;
        return {
          ...run,
          start: round,
          server: run.server && { ...run.server, netInputBytes: factor * (bytes + round) * run.operations },
        };
      }),
    }),
  });

describe('store/figures', () => {
  it('has each name once, and says of each what it is', () => {
    const names = METRICS.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
    assert.deepEqual(
      names.filter((name, place) => names.indexOf(name) !== place),
      [],
    );
    for (const { id, meaning } of METRICS) assert.match(meaning, /\w{3}.*[^.]$/, id);
  });

  describe('a metric more', () => {
    /** @type {Metric} */
    const METRIC = {
      id: 'bytesInPerOp',
      name: 'bytesInPerOp',
      aliases: ['bytesIn'],
      meaning: 'bytes that an operation sent to the server',
      title: 'in/op',
      unit: 'bytes',
      better: 'less',
      of: (run) => ('operations' in run ? Number(run.server?.netInputBytes) / run.operations : null),
      fromRuns: 'median',
      text: (bytes) => `${bytes} B`,
      tables: { cost: 'in/op', versions: 'in/op' },
    };
    before(() => void METRICS.push(METRIC));
    after(() => void METRICS.pop());

    it('can be asserted, by its medians and by its intervals', async () => {
      const report = await fixture(500);
      const [redis] = report.cells;
      assert.equal(redis.summary?.intervals.bytesInPerOp?.low, 501);
      for (const assertStrict of [false, true]) {
        const { assertions } = await withAssertions(report, {
          assert: ['redis.bytesInPerOp < 0.6 * ioredis.bytesIn'],
          assertStrict,
        });
        assert.deepEqual(
          assertions.map(({ outcome }) => outcome),
          ['holds'],
        );
      }
    });

    it('is compared', async () => {
      for (const metric of ['bytesInPerOp', 'bytesIn']) {
        const { cells, unit, moreIsBetter, ...found } = compareReports(
          await fixture(500),
          await fixture(600),
          metric,
        );
        assert.equal(found.metric, 'bytesInPerOp');
        assert.deepEqual([unit, moreIsBetter, cells[0].base, cells[0].new], ['bytes', false, 503.5, 603.5]);
        assert.equal(cells[0].contrast?.differs, true);
      }
    });

    it('stands in csv, tables and the list', async () => {
      const report = await fixture(500);
      const [head, first] = (await renderReport(report, 'csv')).split('\r\n').map((line) => line.split(','));
      assert.equal(first[head.indexOf('bytesInPerOp')], '501');
      const text = await renderReport(report, 'table', { width: 200, details: true });
      assert.match(text, /in\/op/);
      assert.match(text, /503\.5 B/);
      assert.match(await renderReport(report, 'html'), /<td>503\.5 B<\/td>/);
      let listed = '';
      await /** @type {any} */ (list).run(
        {},
        /** @type {any} */ ({
          stdout: {
            lines(/** @type {string[]} */ texts) {
              listed += texts.join('\n');
            },
          },
        }),
        'metrics',
      );
      assert.match(listed, /bytesInPerOp +bytes that an operation sent/);
    });
  });

  it('gives intervals to what is a median or a percentile', () => {
    const without = METRICS.filter((metric) => !hasInterval(metric)).map(({ id }) => id);
    assert.ok(without.includes('dropped') && without.includes('clientBusy'));
    assert.ok(!without.includes('spreadMs') && !without.includes('p50Us'));
  });
});
