import { medianSorted } from 'simple-statistics';
import { nameCells } from '../../../axes/cell-names.js';
import { percent, perSecond, times, whole } from '../../../core/report/figures.js';
import { isSlower } from '../../../core/statistics/contrasts.js';
import { reach } from '../../../core/statistics/interval.js';
import { asIs } from '../../../core/store/metrics.js';
import { groupTitle, sharedTitles } from '../words/legend.js';

/** @import { Comparison, Summary } from '../../judge/types.js' */
/** @import { CellResult, Report, Run } from '../../../core/store/types.js' */
/** @import { ColumnOf, Row, State } from '../../../core/report/types.js' */

/**
 * @param {CellResult[]} cells of one group @param {Comparison} comparison @param {Report} report
 * @returns {Row[]} the floor, then the fastest first, at the end what failed or was skipped
 */
export function resultRows(cells, { ranking }, { settings }) {
  const names = nameCells(cells);
  const rankOf = (/** @type {CellResult} */ { id }) => ranking.find((ranked) => ranked.cell === id);
  const floor = cells.filter(
    (cell) => cell.floor && cell.summary && !cell.summary.tooShort && rankOf(cell) === undefined,
  );
  const others = cells.filter((cell) => !floor.includes(cell));
  return [...floor, ...byRank(others, ranking)].map((cell) => {
    const ranked = rankOf(cell);
    const state = stateOf(cell, ranked, ranking[0]?.cell);
    return {
      cell,
      name: /** @type {string} */ (names.get(cell.id)),
      columns: {
        iterations: settings.durationMs === null ? whole(cell.iterations) : '',
        'ops/s': perSecond(cell.summary?.opsPerSecond),
        '±': reachText(cell.summary),
        behind: behindText(state, ranked, ranking.length),
        'of raw': ranked?.ofCeiling == null ? '' : percent(ranked.ofCeiling),
      },
      runs: cell.skipped ? [] : runTexts(cell.runs),
      state,
      ranked,
    };
  });
}

/** @param {CellResult[]} cells of one group @param {Comparison['ranking']} ranking @returns {CellResult[]} the ranked first */
export function byRank(cells, ranking) {
  const ranked = ranking.flatMap((ranked) => cells.filter(({ id }) => id === ranked.cell));
  return [...ranked, ...cells.filter((cell) => !ranked.includes(cell))];
}

/** @typedef {ReturnType<typeof groupsOf>[number]} Group with what its tables need */
/** @typedef {Group & {heading: string}} HeadedGroup `heading`: what distinguishes it; empty where it is alone */

/** @param {Report} report */
const groupsOf = (report) =>
  report.comparisons.map((comparison) => {
    const cells = report.cells.filter(({ group }) => group === comparison.group);
    const rows = resultRows(cells, comparison, report);
    return { comparison, cells, title: groupTitle(cells, report), rows };
  });

/** @param {Report} report @returns {{common: string[], groups: HeadedGroup[]}} `common`: what titles share */
export function headedGroups(report) {
  const groups = groupsOf(report);
  const { common, titles } = sharedTitles(
    groups.map(({ cells }) => cells),
    report,
  );
  return { common, groups: groups.map((group, index) => ({ ...group, heading: titles[index] })) };
}

/** @param {HeadedGroup[]} groups @returns {(Row & {heading: string})[]} in one table: the first of each has its heading */
export const headedRows = (groups) =>
  groups.flatMap(({ heading, rows }) =>
    rows.map((row, index) => ({ ...row, heading: index === 0 ? heading : '' })),
  );

/** @param {HeadedGroup[]} groups @returns {boolean} whether the times of runs of different cells do not compare */
export const runsDiffer = (groups) =>
  new Set(
    groups
      .filter(isClosed)
      .flatMap(({ rows }) => rows.map(({ columns }) => columns.iterations))
      .filter((text) => text !== ''),
  ).size > 1;

/** @param {keyof Row['columns']} title @returns {ColumnOf<Row>} */
export const rowColumn = (title) => ({ title, text: ({ columns }) => columns[title] });

/** @param {CellResult[]} cells of one group @returns {boolean} whether it ran at a given rate */
export const isOpen = ([{ openLoop }]) => openLoop !== null;

/** @param {{cells: CellResult[]}} group @returns {boolean} whether its tasks sent one operation after the other */
export const isClosed = ({ cells }) => !isOpen(cells);

/** @param {CellResult} cell @returns {State} why it has no figures */
export const unmeasured = ({ skipped, runs }) =>
  skipped !== null ? 'skipped' : runs.length > 0 ? 'failed' : 'not run';

/** @param {CellResult} cell @param {Comparison['ranking'][number] | undefined} ranked @param {string} [fastest] @returns {State} */
function stateOf(cell, ranked, fastest) {
  if (cell.skipped !== null) return 'skipped';
  if (ranked === undefined) {
    if (cell.summary === null) return unmeasured(cell);
    if (cell.summary.tooShort) return 'too short';
    return cell.warm === false ? 'not warm' : 'floor';
  }
  // In an open loop the rate was given, so no cell is the fastest.
  if (ranked.cell === fastest && cell.openLoop === null) return 'fastest';
  return isSlower(ranked) ? 'slower' : 'close';
}

/** @param {State} state @param {Comparison['ranking'][number] | undefined} ranked @param {number} rankedCells that are compared */
function behindText(state, ranked, rankedCells) {
  if (state === 'fastest') return rankedCells > 1 ? 'best' : '';
  if (ranked === undefined) return state;
  if (ranked.timesSlower === null) return 'none finished';
  return `${state === 'close' ? 'maybe ' : ''}${times(ranked.timesSlower)}`;
}

/** @param {Summary | null} summary @returns {string} how far the interval of the operations a second reaches to its farther side */
function reachText(summary) {
  const interval = summary?.intervals.opsPerSecond;
  return interval ? percent(reach(interval, summary.opsPerSecond)) : '';
}

/** csv has all. */
const RUNS_SHOWN = 1000;

/** @param {Run[]} runs @returns {string[]} `330 (2)` for each: average elapsed time of its tasks in ms, and the spread */
export function runTexts(runs) {
  const shown = runs.slice(0, RUNS_SHOWN).map(runText);
  return runs.length > RUNS_SHOWN ? [...shown, `+ ${whole(runs.length - RUNS_SHOWN)}`] : shown;
}

/** @param {Run} run */
function runText({ failed, averageMs, spreadMs }) {
  if (failed !== null || averageMs === null || spreadMs === null) return 'failed';
  const digits = digitsOf(averageMs);
  return `${averageMs.toFixed(digits)} (${spreadMs.toFixed(digits)})`;
}

/** Whole milliseconds; a decimal if rounding would hide a tenth of the figure. @param {number} averageMs */
const digitsOf = (averageMs) => (averageMs < 10 ? 1 : 0);

/** More are summed up. */
const MOST_IN_LINE = 3;

/** @param {Run[]} runs @returns {string} each run, or least, median and most of their averages and of their spreads */
export function runsInLine(runs) {
  const own = asIs(runs);
  const good = own.filter(({ failed }) => failed === null);
  if (own.length <= MOST_IN_LINE || good.length === 0) return runTexts(own.slice(0, MOST_IN_LINE)).join(' ');
  const failed = own.length - good.length;
  const [averages, spreads] = /** @type {const} */ (['averageMs', 'spreadMs']).map((name) =>
    good.map((run) => Number(run[name])).sort((a, b) => a - b),
  );
  const digits = digitsOf(averages[0]);
  const write = (/** @type {number[]} */ sorted) => {
    const texts = [sorted[0], medianSorted(sorted), Number(sorted.at(-1))].map((value) =>
      value.toFixed(digits),
    );
    return texts.every((text) => text === texts[0]) ? texts[0] : texts.join('–');
  };
  return `${write(averages)} (${write(spreads)})${failed === 0 ? '' : `, ${failed} failed`}`;
}
