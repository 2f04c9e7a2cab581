import assert from 'node:assert/strict';
import { reportOf } from '../../src/commands/benchmark/report/report.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { createFixture, mixedReport } from '../helpers/report-fixture.js';
import { seed000Report } from '../helpers/seed-000.js';

/** @import { FormatPlugin, View } from '../../src/plugins/types.js' */
/** @import { Report } from '../../src/store/types.js' */

const PLAIN = {
  color: false,
  width: 100,
  details: false,
  detailsCommand: null,
};

const { formats } = await loadCatalogue();

/** @type {Record<string, () => Promise<Report>>} */
const REPORTS = {
  'a full report': seed000Report,
  'cells of every kind': mixedReport,
  'a smoke run': () => mixedReport({ smoke: true }),
  'nothing was run': () => createFixture({ given: { runs: 1 }, measured: () => null, interrupted: true }),
  'no cell': async () => ({ ...(await seed000Report()), cells: [], comparisons: [], findings: [] }),
  'everything skipped': () =>
    createFixture({ given: { clients: 'redis' }, packages: {}, measured: () => null }),
  'a server that was lost': () =>
    createFixture({ given: { clients: 'redis' }, measured: () => null, failure: 'lost the server' }),
};

describe('every format', () => {
  for (const reporter of formats.values()) {
    for (const [name, create] of Object.entries(REPORTS)) {
      it(`${reporter.id} renders ${name}`, async () => {
        const report = await create();
        const before = structuredClone(report);
        for (const view of [
          { ...PLAIN, detailsCommand: 'redis-pipe-bench report last --details' },
          { ...PLAIN, color: true, details: true },
          { ...PLAIN, width: 40, details: true },
        ]) {
          const rendered = await render(reporter, report, view);
          const text = textOf(rendered);
          assert.equal(textOf(rendered), text, 'its parts can be gone through again');
          assert.ok(text.trim().length > 0);
          assert.match(text, /[^\n]\n$/, 'ends with one line feed');
          // What redis:tuned sets, as code.
          const filled = text.replaceAll(/timeout:\s+undefined/g, '');
          assert.doesNotMatch(filled, /undefined|NaN|\[object|Infinity/);
        }
        assert.deepEqual(report, before, 'the report is left as it was');
      });
    }

    it(`${reporter.id} uses no colour codes when colour is off`, async () => {
      const text = textOf(await render(reporter, await mixedReport(), PLAIN));
      assert.ok(!text.includes('\u001b'));
    });
  }
});

/** @param {FormatPlugin} format @param {Report} report @param {View} view */
const render = ({ print, render }, report, view) =>
  print ? print(reportOf(report), view) : /** @type {NonNullable<typeof render>} */ (render)(report, view);

/** @param {string | Iterable<string>} rendered */
const textOf = (rendered) => [...rendered].join('');
