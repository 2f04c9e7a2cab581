import { nameSubjects } from '../../../axes/cell-names.js';
import { haveFault } from '../../../break/fault-ranking.js';
import { faultRunsOf, isLateBefore, outcomeOf, rangeOf } from '../../../break/outcome.js';
import { duration, said, spanText, whole } from '../../../core/report/figures.js';
import { filledColumns, gridOf } from '../../../core/report/grid.js';
import {
  cellText,
  figureOfCell,
  figureOfRun,
  metricNamed,
  metricsIn,
} from '../../../core/store/metrics/metric-values.js';
import { textOf } from '../../../core/store/metrics/text.js';
import { byRank, unmeasured } from './result-rows.js';

/** @import { Comparison, Summary } from '../../judge/types.js' */
/** @import { Metric } from '../../../core/store/metrics/types.js' */
/** @import { CellResult } from '../../../core/store/types.js' */
/** @import { ColumnOf, Grid, State } from '../../../core/report/types.js' */

/**
 * `heading`: where several groups share a table.
 * @typedef {{cells: CellResult[], comparison: Pick<Comparison, 'ranking'>, heading?: string}} RatedGroup
 */
/** @typedef {ColumnOf<{cell: CellResult}>} Column */

/**
 * The cells that ran at a given rate: how they kept to it, or how they came through a fault.
 * @param {RatedGroup[]} groups @param {boolean} [inShort] only the columns that explain themselves @returns {Grid}
 */
export function ratedGrid(groups, inShort = false) {
  const rows = groups.flatMap(({ cells, comparison, heading }) => {
    const names = nameSubjects(cells);
    return byRank(cells, comparison.ranking).map((cell, index) => ({
      cell,
      name: names.get(cell.id) ?? cell.id,
      heading: index === 0 ? heading : undefined,
      state: /** @type {State} */ (cell.summary?.openLoop?.held === false ? 'not held' : 'close'),
    }));
  });
  const cells = rows.map(({ cell }) => cell);
  return gridOf(rows, ({ cell: _, ...head }) => head, columnsOf(cells, inShort));
}

/** @param {CellResult[]} cells @param {boolean} [inShort] @returns {Column[]} those that say something of any cell */
function columnsOf(cells, inShort) {
  const broken = haveFault(cells);
  const isMeasured = (/** @type {CellResult} */ cell) =>
    broken ? faultRunsOf(cell).length > 0 : Boolean(cell.summary?.openLoop);
  const [all, short] = broken ? [FAULT_COLUMNS, SHORT_FAULT_COLUMNS] : openLoopColumns(cells);
  const measured = cells.filter(isMeasured).map((cell) => ({ cell }));
  const [first, ...others] = inShort ? short : all;
  const filled = filledColumns(measured, [first, ...others]);
  return (filled.length === 0 ? [first] : filled).map((column, index) => ({
    ...column,
    text(row) {
      if (isMeasured(row.cell)) return column.text(row);
      return index === 0 ? unmeasured(row.cell) : '';
    },
  }));
}

/** @param {CellResult[]} cells @returns {string[]} what the columns of those tables mean, each once */
export function ratedNotes(cells) {
  const rated = cells.filter(({ openLoop }) => openLoop !== null);
  const broken = rated.filter((cell) => haveFault([cell]));
  return said([broken.length > 0 && faultNote(broken), broken.length < rated.length && OPEN_LOOP_NOTE]);
}

const OPEN_LOOP_NOTE =
  'achieved/s: answered operations over the time of sending; p50, p99, max: from the scheduled start, the p99 of the median run; p99 sent: the same, from sending; late: from the scheduled start to sending; client, server: busy';

/** What the first screen has of an open loop besides the rate, and whether it was sustained. */
const MAIN = ['p50Us', 'medianRunP99Us', 'maxUs'];

/** @param {CellResult[]} cells @returns {[all: Column[], short: Column[]]} in a search the rate tells the cells apart */
function openLoopColumns(cells) {
  const [achieved, ...others] = metricsIn('open-loop');
  const searched = cells.some(({ openLoop }) => openLoop?.search != null);
  const first = [...(searched ? [metricNamed('intendedPerSecond')] : []), achieved].map(measured);
  const main = others.filter(({ id }) => MAIN.includes(id));
  return [
    [...first, ...ANSWERS, ...others.map(measured)],
    [...first, ...ANSWERS, ...main.map(measured)],
  ];
}

/** @param {Metric} metric @returns {Column} latencies may be microseconds or seconds: no unit fits them all */
const measured = (metric) => ({
  title: metric.tables?.['open-loop'] ?? metric.title,
  text: ({ cell: { summary } }) => {
    const us = summary && metric.unit === 'µs' ? figureOfCell(metric, summary) : null;
    return us == null ? cellText(metric, /** @type {Summary} */ (summary)) : duration(us);
  },
});

/** Columns that are no metric. @type {Column[]} */
const ANSWERS = [
  {
    title: 'sustained',
    text: ({ cell: { summary } }) => {
      const { runs, openLoop } = /** @type {Summary} */ (summary);
      const held = openLoop?.heldRuns ?? 0;
      if (held === runs || held === 0) return held > 0 ? 'yes' : 'no';
      return `${held} of ${runs}`;
    },
  },
  {
    title: 'EXISTS true/false',
    text: ({ cell: { summary } }) => {
      const answers = summary?.answers;
      return answers ? `${whole(answers.true)}/${whole(answers.false)}` : '';
    },
  },
];

/** What columns mean, by their titles. @type {Record<string, string>} */
const MEANINGS = {
  recovered:
    "from the fault until 95 % of a second's operations were done within --slo (late before: already late before the fault; not seen: the run ended too soon after it)",
  'first call':
    'what the first caller after the pause waited; all other times are from the end of the pause too',
  promoted: 'when the first Sentinel named the new primary',
  'last lost': 'when the last write was confirmed that was lost',
  'longest wait': 'for a reply or an error (>: still waiting at the end)',
  unanswered: 'callers still waiting at the end',
  'done twice': "by the server's data at the end",
  lost: "by the server's data at the end",
  wrong: 'replies that are not what they must be',
  'done in part': "requests, by the server's data at the end",
  'done anyway': 'although callers got an error',
  'MB more': 'memory',
};

/** @param {CellResult[]} cells with a fault @returns {string} what the columns of their tables mean */
const faultNote = (cells) =>
  columnsOf(cells)
    .flatMap(({ title }) => (MEANINGS[title] ? `${title}: ${MEANINGS[title]}` : []))
    .join('; ');

/** @param {Metric} metric @returns {Column} */
const faultColumn = (metric) => ({
  title: String(metric.tables?.fault),
  text: ({ cell }) => rangeText(metric, cell),
  none: metric.unit === 'operations' || metric.unit === 'times' ? '0' : undefined,
});

/** What happened to nobody needs no column. */
const FAULT_COLUMNS = metricsIn('fault').map(faultColumn);

/** What must not happen. */
const HARM = 'answeredWrongly operationsUnanswered doneTwice acknowledgedButLost doneInPart doneThoughFailed'
  .split(' ')
  .map(metricNamed)
  .map(faultColumn);

/** @type {Column[]} */
const SHORT_FAULT_COLUMNS = [
  faultColumn(metricNamed('firstCallMs')),
  faultColumn(metricNamed('heldAgainMs')),
  { ...faultColumn(metricNamed('longestWaitMs')), title: 'max wait' },
  faultColumn(metricNamed('operationsFailed')),
  { title: 'harm', align: 'left', text: ({ cell }) => harmText(cell) },
];

/** @param {CellResult} cell @returns {string} what must not happen, and did */
export function harmText(cell) {
  const { crashes = [] } = outcomeOf(cell) ?? {};
  return said([
    crashes.length > 0 && 'crashed',
    ...filledColumns([{ cell }], HARM).map(({ title, text }) => `${text({ cell })} ${title}`),
  ]).join(', ');
}

/** Times of what need not happen. */
const MAY_BE_MISSING = ['loopDelayMaxMs'];

/** @param {Metric} metric @param {CellResult} cell @returns {string} of several runs the least and the most */
export function rangeText(metric, cell) {
  const isFirst = metric.id === 'firstCallMs';
  if (isFirst && cell.idleMs === undefined) return '';
  const outcome = metric.id === 'heldAgainMs' ? outcomeOf(cell) : null;
  if (outcome !== null && isLateBefore(outcome)) return 'late before';
  const faults = faultRunsOf(cell);
  const runs = cell.runs.filter(({ failed, fault }) => failed === null && fault !== undefined);
  const figures = runs.map((run) => figureOfRun(metric, run));
  if (figures.every((figure) => figure === undefined)) return '';
  const { low, high, never } = outcome?.heldAgainMs ?? rangeOf(figures.map((figure) => figure ?? null));
  // Of a time it means that it never came; nothing is waited for where nothing breaks.
  const last = never && metric.unit === 'ms' && faults.some(({ struckAtMs }) => struckAtMs !== null);
  const neverText = last && !MAY_BE_MISSING.includes(String(metric.id)) ? 'never' : '';
  if (low === null || high === null) return (outcome?.unseenRuns ?? 0) > 0 && !never ? 'not seen' : neverText;
  const endless =
    metric.id === 'longestWaitMs' && faults.some(({ longestWaitAnswered }) => !longestWaitAnswered);
  const span = spanText(textOf(metric, low), neverText || textOf(metric, high), '–');
  const error = isFirst && faults.some(({ firstCallError }) => firstCallError) ? ', error' : '';
  return `${endless ? '> ' : ''}${span}${error}`;
}
