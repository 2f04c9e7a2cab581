import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readReport, renderReport } from '../../../src/cli/render.js';
import { present } from '../../../src/collections.js';
import { checkSyntax, evaluateAssertion } from '../../../src/commands/benchmark/assertions.js';
import { compareReports } from '../../../src/commands/benchmark/compare-reports.js';
import finding from '../../../src/commands/benchmark/findings/where-time-goes.js';

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

  it('advise only what can help the cell', () => {
    /** @param {string} name @param {Partial<Report['cells'][number]>} [changes] */
    function adviceTo(name, changes) {
      const [client, variant, scenario] = name.split(' ');
      const found = report.cells.find(
        (cell) => cell.client === client && cell.variant === variant && cell.scenario === scenario,
      );
      const cell = { ...present(found), ...changes };
      const lost = { group: cell.group, cells: [cell.id], wholeUs: 200, us: 150 };
      const names = { name: () => name, cell: () => cell };
      return finding.say({ ...lost, at: 'p99', part: 'client' }, /** @type {any} */ (names));
    }
    const release = present(report.cells.find(({ client }) => client === 'redis')?.release);
    const old = { ...release, version: '4.7.1' };
    assert.match(adviceTo('redis default shared-connection'), /redis:tuned/);
    assert.match(adviceTo('redis default shared-connection', { release: old }), /Fewer tasks/);
    assert.match(adviceTo('ioredis default pool'), /A larger pool/);
    assert.match(adviceTo('ioredis default pool', { tasks: 3 }), /Fewer tasks/);
  });

  it('cannot be asserted without --breakdown', () => {
    const asked = ['ioredis.breakdown.p99.unreadUs < 2000'];
    checkSyntax({ assert: asked, breakdown: 'all' });
    assert.throws(
      () => checkSyntax({ assert: asked }),
      /'breakdown.p99.unreadUs' is measured with --breakdown/,
    );
    assert.throws(() => checkSyntax({ assert: ['ioredis.breakdown.p98.unreadUs < 1'] }), /unknown metric/);
  });
});
