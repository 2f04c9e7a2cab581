import { haveFault } from '../../../analysis/findings/fault-ranking.js';
import { faultStrips, stripsLegend } from '../../charts/fault-strips.js';
import { plotGroup } from '../../charts/plot.js';
import { ratePlot } from '../../charts/rate-plot.js';
import { gridLines } from '../../tables/grid.js';
import { costGrid, gridsOf } from '../../tables/group-grids.js';
import { ratedGrid, ratedNotes } from '../../tables/rated-grid.js';
import { cellsOf, isOpen, resultRows } from '../../tables/result-rows.js';
import { groupTitle, sharedTitles } from '../../words/legend.js';
import { remarksInShort, remarksOf, wordsOf } from '../../words/remarks.js';
import { bullets, wrap } from '../../words/wrap.js';
import { allRuns } from './all-runs.js';
import { overview, signsOf } from './overview.js';

/** @import { Comparison } from '../../../analysis/types.js' */
/** @import { CellResult, Report } from '../../../results/types.js' */
/** @import { Pen } from '../../charts/plot.js' */

/** Below this a table of costs would have hardly any columns. */
const NARROW = 76;

/** More causes than these are in the details. */
const MOST_CAUSES = 2;

/**
 * What the first screen has of groups: a line for each cell, the main causes, and what makes figures doubtful.
 * @param {Comparison[]} comparisons @param {Report} report @param {Pen & {plot: boolean}} pen @returns {string[][]} paragraphs
 */
export function overviews(comparisons, report, pen) {
  if (comparisons.length === 0) return [];
  const groups = comparisons.map((comparison) => cellsOf(comparison, report));
  const { common, titles } = sharedTitles(groups, report);
  const bold = (/** @type {string} */ text) => wrap(text, pen.width).map(pen.colors.bold);
  let causesLeft = MOST_CAUSES;
  const paragraphs = comparisons.map((comparison, place) => {
    const causes = comparison.outcome.slice(0, causesLeft);
    causesLeft -= causes.length;
    return [
      ...(place === 0 && common !== '' ? bold(common) : []),
      ...bold(titles[place]),
      ...groupOverview(comparison, groups[place], report, pen),
      ...causes.flatMap((cause) => bullets(cause, pen.width)),
    ];
  });
  const remarks = remarksInShort(report.cells).flatMap((line) => wrap(line, pen.width));
  return [...paragraphs.slice(0, -1), [...paragraphs.slice(-1).flat(), ...remarks]];
}

/** @param {Comparison} comparison @param {CellResult[]} cells of it @param {Report} report @param {Pen & {plot: boolean}} pen */
function groupOverview(comparison, cells, report, pen) {
  const grids = gridsOf('table', cells, comparison, true);
  return [
    ...(isOpen(cells) ? openLoop(cells, comparison, pen) : closedLoop(cells, comparison, report, pen)),
    ...spaced(grids.map((grid) => gridLines(grid, pen))),
  ];
}

/** Everything else that is known of it. @param {Comparison} comparison @param {Report} report @param {Pen} pen @returns {string[]} lines */
export function groupDetails(comparison, report, pen) {
  const cells = cellsOf(comparison, report);
  const { settings } = report;
  const rows = resultRows(cells, comparison, report);
  const order = rows.map(({ name }) => name);
  const costs = !isOpen(cells) && !settings.smoke && pen.width >= NARROW ? costGrid(cells, order) : null;
  const grids = [...(costs === null ? [] : [costs]), ...gridsOf('table', cells, comparison, false)];
  return [
    ...wrap(groupTitle(cells, report), pen.width).map(pen.colors.bold),
    ...(isOpen(cells) ? [] : allRuns(rows, pen)),
    ...wordsOf(comparison, settings.smoke, pen.width),
    ...spaced(grids.map((grid) => gridLines(grid, pen))),
    ...remarksOf(cells).flatMap(({ text, who }) => wrap(`${who}: ${text}`, pen.width)),
  ];
}

/**
 * @param {Comparison[]} comparisons @param {Report} report @param {Pen} pen
 * @returns {string[]} lines: what the columns and signs of all overviews mean, each once
 */
export function overviewSigns(comparisons, report, pen) {
  const all = comparisons.map((comparison) => cellsOf(comparison, report));
  const rows = comparisons
    .filter((_, index) => !isOpen(all[index]))
    .map((comparison) => resultRows(cellsOf(comparison, report), comparison, report));
  const signs = [...new Set(rows.flatMap((each) => signsOf(each, pen)))];
  // One that says more says it for all groups.
  const columns = signs.filter((sign) => !signs.some((other) => other !== sign && other.startsWith(sign)));
  const notes = [
    ...ratedNotes(all.flat()),
    ...(all.some(haveFault) ? [stripsLegend(pen)] : []),
    ...(columns.length > 0 ? [columns.join(' · ')] : []),
  ];
  return notes.flatMap((note) => wrap(note, pen.width));
}

/** @param {CellResult[]} cells @param {Comparison} comparison @param {Pen} pen */
function openLoop(cells, comparison, pen) {
  const grid = ratedGrid(cells, comparison);
  // The rates of a search stand below the name of their cell.
  const rows = grid.rows.map((row, place) => ({
    ...row,
    name: row.name === grid.rows[place - 1]?.name ? '' : row.name,
  }));
  return [
    ...gridLines({ ...grid, rows }, { width: pen.width }),
    ...(haveFault(cells) ? spaced([faultStrips(cells, comparison, pen)]) : []),
    ...(cells[0].openLoop?.search ? spaced([ratePlot(cells, pen)]) : []),
  ];
}

/** @param {CellResult[]} cells @param {Comparison} comparison @param {Report} report @param {Pen & {plot: boolean}} pen */
function closedLoop(cells, comparison, report, pen) {
  const rows = resultRows(cells, comparison, report);
  return [...overview(rows, pen), ...(pen.plot ? spaced([plotGroup(rows, pen)]) : [])];
}

/** @param {string[][]} some lines @returns {string[]} with a blank line before, between and behind them */
const spaced = (some) => {
  const filled = some.filter((lines) => lines.length > 0);
  return filled.length > 0 ? ['', ...filled.flatMap((lines) => [...lines, ''])] : [];
};
