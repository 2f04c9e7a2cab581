import assert from 'node:assert/strict';
import csv from '../../src/formats/csv.js';
import { factText } from '../../src/report/fact-words.js';
import { mixedReport, REASONS } from '../helpers/report-fixture.js';

/** @import { Report } from '../../src/store/types.js' */

/**
 * A reader of its own, as RFC 4180 has it.
 *
 * @param {string} text
 * @returns {Record<string, string>[]}
 */
function parse(text) {
  assert.ok(text.endsWith('\r\n'));
  const rows = [];
  for (const [, row] of text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)) {
    rows.push(
      [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    );
  }
  const [head, ...body] = rows;
  for (const row of body) assert.equal(row.length, head.length, row.join(' '));
  return body.map((row) => Object.fromEntries(row.map((value, index) => [head[index], value])));
}

/** @param {Report} report */
const textOf = (report) => [...csv.render(report)].join('');

describe('formats/csv', () => {
  /** @type {Report} */
  let report;
  beforeEach(async () => {
    report = await mixedReport();
  });

  it('has a row for each run, with its figures, and one for each cell that has none', () => {
    const rows = parse(textOf(report));
    const expected = report.cells.reduce((sum, { runs }) => sum + Math.max(1, runs.length), 0);
    assert.equal(rows.length, expected);
    for (const cell of report.cells) {
      const own = rows.filter((row) => row.cell === cell.id);
      assert.ok(own.every(({ client, tasks }) => client === cell.client && Number(tasks) === cell.tasks));
      for (const [index, run] of cell.runs.entries()) {
        assert.equal(Number(own[index].round), run.round);
        assert.equal(own[index].opsPerSecond, String(run.opsPerSecond ?? ''));
        assert.equal(own[index].commandsPerRead, String(run.server?.commandsPerRead ?? ''));
        assert.equal(own[index].failed, run.failed ?? '');
      }
      assert.equal(own[0].skipped, cell.skipped === null ? '' : factText(cell.skipped));
    }
    assert.ok(rows.some(({ failed }) => failed === REASONS.failed));
    assert.ok(rows.some(({ warnings }) => warnings === REASONS.warning));
  });

  it('quotes what must be quoted', () => {
    const text = 'a, "b"\r\nc';
    report.cells[0].runs[0].failed = text;
    assert.equal(parse(textOf(report))[0].failed, text);
  });

  for (const text of ['=cmd|calc', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1']) {
    it(`has no formula out of ${JSON.stringify(text)}`, () => {
      report.cells[0].runs[0].failed = text;
      assert.equal(parse(textOf(report))[0].failed, `'${text}`);
    });
  }
  it('leaves negative numbers numbers', () => {
    /** @type {any} */ (report.cells[0].runs[0].client).allocatedBytesPerOp = -5;
    assert.equal(parse(textOf(report))[0].allocatedBytesPerOp, '-5');
  });
});
