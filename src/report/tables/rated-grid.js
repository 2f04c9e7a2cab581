import { faultRunsOf, isLateBefore, outcomeOf, rangeOf } from '../../analysis/findings/fault-outcome.js';
import { haveFault } from '../../analysis/findings/fault-ranking.js';
import { nameSubjects } from '../../axes/cell-names.js';
import { cellText, figureOfCell, figureOfRun, metricNamed, metricsIn } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { duration, whole } from '../words/figures.js';
import { byRank, unmeasured } from './result-rows.js';

/**
 * @import { Comparison, Summary } from '../../analysis/types.js'
 * @import { Metric } from '../../metrics/types.js'
 * @import { CellResult } from '../../results/types.js'
 * @import { Grid } from './types.js'
 * @typedef {object} Column
 * @property {string} title
 * @property {(cell: CellResult) => string} text
 * @property {string} [none] what it says of cells to which nothing happened
 */

/**
 * The cells that ran at a given rate: how they kept to it, or how they came through while something broke.
 * @param {CellResult[]} cells of one group @param {Pick<Comparison, 'ranking'>} comparison @returns {Grid}
 */
export function ratedGrid(cells, { ranking }) {
  const names = nameSubjects(cells);
  const ordered = byRank(cells, ranking);
  const columns = filledColumns(ordered);
  return {
    note: ratedNotes(cells).join(' '),
    columns,
    rows: ordered.map((cell, row) => ({
      name: names.get(cell.id) ?? cell.id,
      texts: columns.map(({ texts }) => texts[row]),
      state: cell.summary?.openLoop?.held === false ? 'not held' : 'close',
    })),
  };
}

/** @param {CellResult[]} cells @returns those columns that say something of any cell */
function filledColumns(cells) {
  const broken = haveFault(cells);
  const isMeasured = (/** @type {CellResult} */ cell) =>
    broken ? faultRunsOf(cell).length > 0 : Boolean(cell.summary?.openLoop);
  return (broken ? faultColumns() : openLoopColumns(cells))
    .map(({ title, text, none }, place) => {
      const instead = (/** @type {CellResult} */ cell) => (place === 0 ? unmeasured(cell) : '');
      return { title, none, texts: cells.map((cell) => (isMeasured(cell) ? text(cell) : instead(cell))) };
    })
    .filter(({ texts, none }) => texts.some((text) => text !== '' && text !== none));
}

/** @param {CellResult[]} cells @returns {string[]} what the columns of those tables mean, each once */
export function ratedNotes(cells) {
  const rated = cells.filter(({ openLoop }) => openLoop !== null);
  const broken = rated.filter((cell) => haveFault([cell]));
  return [
    ...(broken.length > 0 ? [faultNote(broken)] : []),
    ...(broken.length < rated.length ? [OPEN_LOOP_NOTE] : []),
  ];
}

const OPEN_LOOP_NOTE =
  'achieved/s: answered operations over the time of sending; p50, p99, max: from the scheduled start, the p99 of the median run; p99 sent: the same, from sending; late: from the scheduled start to sending; client, server: busy';

/** @param {CellResult[]} cells @returns {Column[]} in a search the rate tells the cells apart */
function openLoopColumns(cells) {
  const [achieved, ...others] = metricsIn('open-loop').map(measured);
  const searched = cells.some(({ openLoop }) => openLoop?.search != null);
  return [...(searched ? [measured(metricNamed('intendedPerSecond'))] : []), achieved, ...ANSWERS, ...others];
}

/** @param {Metric} metric @returns {Column} latencies may be microseconds or seconds: no unit fits them all */
const measured = (metric) => ({
  title: metric.tables?.['open-loop'] ?? metric.title,
  text: ({ summary }) => {
    const us = summary && metric.unit === 'µs' ? figureOfCell(metric, summary) : null;
    return us == null ? cellText(metric, /** @type {Summary} */ (summary)) : duration(us);
  },
});

/** What is no metric. @type {Column[]} */
const ANSWERS = [
  {
    title: 'held',
    text: ({ summary }) => {
      const { runs, openLoop } = /** @type {Summary} */ (summary);
      const held = openLoop?.heldRuns ?? 0;
      if (held === runs || held === 0) return held > 0 ? 'yes' : 'no';
      return `${held} of ${runs}`;
    },
  },
  {
    title: 'EXISTS true/false',
    text: ({ summary }) => {
      const answers = summary?.answers;
      return answers ? `${whole(answers.true)}/${whole(answers.false)}` : '';
    },
  },
];

/** What columns mean, by their titles. @type {Record<string, string>} */
const MEANINGS = {
  'in time after':
    "from the fault until 95 % of a second's operations were done within --slo (late before: already late before the fault; not seen: the run ended too soon after it)",
  'longest wait': 'for a reply or an error (>: still waiting at the end)',
  'no answer': 'callers still waiting at the end',
  twice: "by the server's data at the end",
  lost: "by the server's data at the end",
  'done anyway': 'although callers got an error',
  'MB more': 'memory',
};

/** @param {CellResult[]} cells with a fault @returns {string} what the columns of their tables mean */
const faultNote = (cells) =>
  filledColumns(cells)
    .flatMap(({ title }) => (MEANINGS[title] ? `${title}: ${MEANINGS[title]}` : []))
    .join('; ');

/** @returns {Column[]} what happened to nobody needs no column */
const faultColumns = () =>
  metricsIn('fault').map((metric) => ({
    title: String(metric.tables?.fault),
    text: (cell) => rangeText(metric, cell),
    none: metric.unit === 'operations' ? '0' : undefined,
  }));

/** @param {Metric} metric @param {CellResult} cell @returns {string} of several runs the least and the most */
function rangeText(metric, cell) {
  const faults = faultRunsOf(cell);
  const outcome = metric.id === 'heldAgainMs' ? outcomeOf(cell) : null;
  if (outcome !== null && isLateBefore(outcome)) return 'late before';
  const runs = cell.runs.filter(({ failed, fault }) => failed === null && fault !== undefined);
  const { low, high, never } =
    outcome?.heldAgainMs ?? rangeOf(runs.map((run) => figureOfRun(metric, run) ?? null));
  // Of a time it means that it never came; nothing is waited for where nothing breaks.
  const last = never && metric.unit === 'ms' && faults.some(({ struckAtMs }) => struckAtMs !== null);
  const neverText = last && metric.id !== 'loopDelayMaxMs' ? 'never' : '';
  if (low === null || high === null) return (outcome?.unseenRuns ?? 0) > 0 && !never ? 'not seen' : neverText;
  const endless =
    metric.id === 'longestWaitMs' && faults.some(({ longestWaitAnswered }) => !longestWaitAnswered);
  const texts = [textOf(metric, low), neverText === '' ? textOf(metric, high) : neverText];
  return `${endless ? '> ' : ''}${[...new Set(texts)].join('–')}`;
}
