import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readReport, renderReport } from '../../../src/cli/render.js';
import { present } from '../../../src/collections.js';
import { checkSyntax, evaluateAssertion } from '../../../src/commands/benchmark/assertions.js';
import { compareReports } from '../../../src/commands/benchmark/compare-reports.js';

/** @import { Report } from '../../../src/store/types.js' */

const SAVED = new URL('../../docs/where-time-goes.ndjson.gz', import.meta.url);
const NAMES = ['clientWaitUs', 'roundTripUs', 'unreadUs', 'handledUs', 'wholeUs'].flatMap((name) => [
  `breakdown.p50.${name}`,
  `breakdown.p99.${name}`,
]);

describe('the figures of a breakdown', () => {
  /** @type {string} */
  let folder;
  /** @type {Report} */
  let report;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-breakdown-'));
    const file = join(folder, 'saved.ndjson');
    writeFileSync(file, gunzipSync(readFileSync(SAVED)));
    report = await readReport(file);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('have one name each in JSON, csv, assertions and comparisons', async () => {
    const { cells } = JSON.parse(await renderReport(report, 'json', { width: 100, color: false }));
    const csv = await renderReport(report, 'csv', { width: 100, color: false });
    const [titles] = csv.split('\n').map((line) => line.split(','));
    for (const name of [...NAMES, 'breakdown.cpuRatio']) {
      const [part, at, figure] = name.split('.');
      const { [part]: breakdown } = present(cells[0].summary);
      const value = figure === undefined ? breakdown[at] : breakdown[at][figure];
      assert.ok(value > 0, name);
      assert.ok(titles.includes(name), name);
      const compared = compareReports(report, report, name).cells.find(({ cell }) => cell === cells[0].id);
      assert.ok(compared && Math.abs(compared.base - value) < value, name);
      const asserted = `"${cells[0].id}".${name}`;
      assert.equal(evaluateAssertion(`${asserted} > ${value / 100}`, report.cells, false).outcome, 'holds');
      assert.equal(evaluateAssertion(`${asserted} < ${value / 100}`, report.cells, false).outcome, 'failed');
      assert.equal(evaluateAssertion(`${asserted} < ${value}`, report.cells, false).outcome, 'not decided');
    }
  });

  it('cannot be asserted without --breakdown', () => {
    const asked = ['ioredis.breakdown.p99.unreadUs < 2000'];
    checkSyntax({ assert: asked, breakdown: true });
    assert.throws(
      () => checkSyntax({ assert: asked }),
      /'breakdown.p99.unreadUs' is measured with --breakdown/,
    );
    assert.throws(() => checkSyntax({ assert: ['ioredis.breakdown.p98.unreadUs < 1'] }), /unknown metric/);
  });
});
