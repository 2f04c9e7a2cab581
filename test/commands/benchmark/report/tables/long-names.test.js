import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readReport, renderReport } from '../../../../../src/cli/render.js';
import { conditionGrid } from '../../../../../src/commands/benchmark/report/tables/condition-grid.js';
import { detailsOf } from '../../../../../src/commands/benchmark/report/tables/details-grids.js';
import { mainGrid } from '../../../../../src/commands/benchmark/report/tables/main-grid.js';
import { partGrid } from '../../../../../src/commands/benchmark/report/tables/part-grid.js';
import { ratedGrid } from '../../../../../src/commands/benchmark/report/tables/rated-grid.js';
import { headedGroups, isClosed } from '../../../../../src/commands/benchmark/report/tables/rows.js';
import { versionGrid } from '../../../../../src/commands/benchmark/report/tables/version-grid.js';
import { gridLines } from '../../../../../src/report/grid.js';
import { runMain } from '../../../../helpers/main.js';

/**
 * @import { Report } from '../../../../../src/store/types.js'
 * @import { Grid } from '../../../../../src/report/types.js'
 */

const SAVED = fileURLToPath(new URL('../../../../corpus/saved/', import.meta.url));
const WIDTHS = [60, 200];
const LONG =
  '{commandTimeout:2000,enableOfflineQueue:false,maxRetriesPerRequest:null,socketTimeout:5000,keepAlive:1000}';

/** @param {string} text without what depends on where lines end */
const packed = (text) => text.replace(/\s/g, '');

/** @param {Grid} grid @param {number} width */
function assertAllThere(grid, width) {
  const lines = gridLines(grid, { width });
  for (const line of lines) assert.ok([...line].length <= width, `more than ${width}: ${line}`);
  const words = new Map();
  for (const word of lines.join(' ').split(/\s+/)) words.set(word, (words.get(word) ?? 0) + 1);
  const figures = grid.rows.flatMap(({ texts }) =>
    texts.filter((text) => typeof text === 'string' && text.length <= 10),
  );
  for (const word of figures.join(' ').split(/\s+/).filter(Boolean)) {
    assert.ok(words.get(word) > 0, `'${word}' is not there at ${width}:\n${lines.join('\n')}`);
    words.set(word, words.get(word) - 1);
  }
  const text = packed(lines.join('\n'));
  for (const { name } of grid.rows) assert.ok(text.includes(packed(name)), name);
}

/** @param {Report} report @returns {Grid[]} every table of figures that terminals show of it */
function gridsIn(report) {
  const { groups } = headedGroups(report);
  const [open, closed] = [groups.filter((group) => !isClosed(group)), groups.filter(isClosed)];
  const some = (/** @type {typeof groups} */ all, /** @type {(() => Grid | undefined | null)[]} */ grids) =>
    all.length === 0 ? [] : grids.map((make) => make());
  return [
    ...some(open, [() => ratedGrid(open, true), () => ratedGrid(open)]),
    ...some(closed, [() => mainGrid(closed), () => detailsOf('Costs', closed).grid]),
    ...some(closed, [() => detailsOf('Latency', closed).grid, () => detailsOf('All runs', closed).grid]),
    ...some(closed, [() => detailsOf('Tests', closed).grid]),
    ...groups.flatMap(({ cells, comparison }) => [versionGrid(cells, comparison), partGrid(cells)]),
    conditionGrid(report)?.grid,
  ].flatMap((grid) => grid ?? []);
}

describe('tables in terminals, where names are long', () => {
  const temp = mkdtempSync(join(tmpdir(), 'rpb-long-names-'));
  after(() => rmSync(temp, { recursive: true }));

  /** @param {string} name @returns {Promise<Report>} */
  async function longReport(name) {
    const file = join(temp, `${name}.ndjson`);
    writeFileSync(file, gunzipSync(readFileSync(join(SAVED, `${name}.ndjson.gz`))));
    const report = await readReport(file);
    for (const cell of report.cells)
      cell.variant = `${LONG}${cell.variant === 'default' ? '' : cell.variant}`;
    return report;
  }

  for (const name of readdirSync(SAVED).map((file) => file.replace('.ndjson.gz', ''))) {
    it(`${name}: every figure is printed, and no line is too long`, async () => {
      const report = await longReport(name);
      for (const width of WIDTHS) {
        for (const grid of gridsIn(report)) assertAllThere(grid, width);
        const text = await renderReport(report, 'table', { width, details: true });
        for (const line of text.split('\n')) {
          // A path or a command is not broken, as it may be copied.
          if (/\S \S/.test(line.slice(2))) assert.ok([...line].length <= width, line);
        }
      }
    });
  }

  for (const rows of [1, 20]) {
    it(`made-up ones of ${rows} rows: of few columns and of many, of short names and of long ones`, () => {
      for (const columns of [1, 4, 15])
        for (const name of [
          'redis',
          `redis${LONG}`,
          `ioredis${LONG}, shared connection`,
          'GET {key} '.repeat(12),
        ])
          for (const width of WIDTHS) assertAllThere(madeUp(rows, columns, name), width);
    });
  }

  it('COLUMNS is the width in a pipe', async () => {
    const file = join(temp, 'default.ndjson');
    for (const [COLUMNS, longest] of [
      ['', 100],
      ['200', 200],
      ['70', 70],
    ]) {
      const { stdout } = await runMain(['report', file, '--details'], { COLUMNS: `${COLUMNS}` });
      const lengths = stdout.split('\n').map((line) => line.length);
      const most = Math.max(...lengths);
      assert.ok(most <= Number(longest) && most > Number(longest) - 20, `${most} of ${longest}`);
    }
  });
});

/** @param {number} rows @param {number} columns @param {string} name @returns {Grid} */
const madeUp = (rows, columns, name) => ({
  columns: Array.from({ length: columns }, (_, index) => ({
    title: index % 4 === 3 ? 'a title of many words, which are too many' : `column ${index}`,
    align: index % 5 === 4 ? 'left' : 'right',
  })),
  rows: Array.from({ length: rows }, (_, row) => ({
    name: `${name.slice(0, name.length / 2)}${row}${name.slice(name.length / 2)}`,
    heading: row % 7 === 0 ? `group ${row} ${name}` : undefined,
    texts: Array.from({ length: columns }, (_, index) => `${(5 * row * columns + index) ** 2} ms`),
  })),
});
