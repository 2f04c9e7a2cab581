import { haveFault } from '../../../analysis/findings/fault-ranking.js';
import { faultStrips, stripsLegend } from '../../charts/fault-strips.js';
import { plotGroup } from '../../charts/plot.js';
import { ratePlot } from '../../charts/rate-plot.js';
import { costTable } from '../../tables/cost-table.js';
import { machineTable } from '../../tables/machine-rows.js';
import { openLoopTable } from '../../tables/open-loop-table.js';
import { partTable } from '../../tables/part-rows.js';
import { ratedNotes } from '../../tables/rated-rows.js';
import { resultRows } from '../../tables/result-rows.js';
import { versionTable } from '../../tables/version-table.js';
import { CLOSE_NOTE, groupTitle } from '../../words/legend.js';
import { remarksInShort, remarksOf, wordsOf } from '../../words/remarks.js';
import { bullets, wrap } from '../../words/wrap.js';
import { allRuns } from './all-runs.js';
import { overview, signsOf } from './overview.js';

/**
 * @import { Comparison } from '../../../analysis/types.js'
 * @import { CellResult, Report } from '../../../results/types.js'
 * @import { Pen } from '../../charts/plot.js'
 */

/** Below this a table of costs would have hardly any columns. */
const NARROW = 76;

/**
 * What the first screen has of a group: a line for each cell, and a few sentences.
 *
 * @param {Comparison} comparison
 * @param {Report} report
 * @param {Pen & {plot: boolean}} pen
 * @returns {string[]} lines
 */
export function groupOverview(comparison, report, pen) {
  const cells = cellsOf(comparison, report);
  const { outcome, versions } = comparison;
  return [
    ...wrap(groupTitle(cells, report), pen.width).map(pen.colors.bold),
    ...(isOpen(cells) ? openLoop(cells, comparison, pen) : closedLoop(cells, comparison, report, pen)),
    ...versionsOf(cells, versions, pen.width),
    ...spaced(lines(partTable(cells, pen.width, true))),
    ...outcome.flatMap((sentence) => bullets(sentence, pen.width)),
    ...remarksInShort(cells).flatMap((line) => wrap(line, pen.width)),
  ];
}

/**
 * Everything else that is known of it.
 *
 * @param {Comparison} comparison
 * @param {Report} report
 * @param {Pen} pen
 * @returns {string[]} lines
 */
export function groupDetails(comparison, report, pen) {
  const cells = cellsOf(comparison, report);
  const { settings } = report;
  const rows = resultRows(cells, comparison, report);
  const order = rows.map(({ name }) => name);
  const costs = !isOpen(cells) && !settings.smoke && pen.width >= NARROW;
  const apart = lines(partTable(cells, pen.width, false));
  return [
    ...wrap(groupTitle(cells, report), pen.width).map(pen.colors.bold),
    ...(isOpen(cells) ? [] : allRuns(rows, pen)),
    ...wordsOf(comparison, settings.smoke, pen.width),
    ...(costs ? spaced(lines(costTable(cells, order, pen.width))) : []),
    ...(apart.length === 0 ? [] : [...(costs ? [] : ['']), ...apart, '']),
    ...lines(machineTable(cells, pen.width)),
    ...remarksOf(cells).flatMap(({ text, who }) => wrap(`${who}: ${text}`, pen.width)),
  ];
}

/**
 * @param {Report} report
 * @param {Pen} pen
 * @returns {string[]} lines: what the columns and signs of all overviews mean, each once
 */
export function overviewSigns(report, pen) {
  const all = report.comparisons.map((comparison) => cellsOf(comparison, report));
  const rows = report.comparisons
    .filter((_, index) => !isOpen(all[index]))
    .map((comparison) => resultRows(cellsOf(comparison, report), comparison, report));
  const signs = [...new Set(rows.flatMap((each) => signsOf(each, pen)))];
  // One that says more says it for all groups.
  const columns = signs.filter((sign) => !signs.some((other) => other !== sign && other.startsWith(sign)));
  const close = rows.flat().some((row) => row.columns.slower.startsWith('~'));
  const notes = [
    ...ratedNotes(all.flat()),
    ...(all.some(haveFault) ? [stripsLegend(pen)] : []),
    ...(columns.length > 0 ? [columns.join(' · ')] : []),
    ...(close ? [CLOSE_NOTE] : []),
  ];
  return notes.flatMap((note) => wrap(note, pen.width));
}

/** @param {Comparison} comparison @param {Report} report */
const cellsOf = ({ group }, { cells }) => cells.filter((cell) => cell.group === group);

/** @param {CellResult[]} cells of one group */
const isOpen = ([{ openLoop }]) => openLoop !== null;

/** @param {CellResult[]} cells @param {Comparison} comparison @param {Pen} pen */
const openLoop = (cells, comparison, pen) => [
  openLoopTable(cells, comparison, pen.width),
  ...(haveFault(cells) ? spaced(faultStrips(cells, comparison, pen)) : []),
  ...(cells[0].openLoop?.search ? spaced(ratePlot(cells, pen)) : []),
];

/** @param {CellResult[]} cells @param {Comparison} comparison @param {Report} report @param {Pen & {plot: boolean}} pen */
function closedLoop(cells, comparison, report, pen) {
  const rows = resultRows(cells, comparison, report);
  return [overview(rows, pen), ...(pen.plot ? spaced(plotGroup(rows, pen)) : [])];
}

/**
 * @param {CellResult[]} cells
 * @param {Comparison['versions']} versions
 * @param {number} width
 * @returns {string[]} the versions in their order; if they do not fit, a line that says so
 */
function versionsOf(cells, versions, width) {
  const text = versionTable(cells, versions);
  if (text === '') return [];
  const needed = Math.max(...lines(text).map((line) => line.length));
  return needed <= width
    ? spaced([text])
    : wrap(`The table of versions needs ${needed} columns, and there are ${width}.`, width);
}

/** @param {string} text */
const lines = (text) => (text === '' ? [] : text.split('\n'));

/** @param {string[]} some @returns {string[]} with blank lines around them */
const spaced = (some) => (some.length > 0 ? ['', ...some, ''] : []);
