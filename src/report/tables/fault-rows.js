import { faultRunsOf, isLateBefore, outcomeOf, rangeOf } from '../../analysis/findings/fault-outcome.js';
import { nameSubjects } from '../../axes/cell-names.js';
import { figureOfRun, metricsIn } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';

/**
 * @import { Comparison } from '../../analysis/types.js'
 * @import { Metric } from '../../metrics/types.js'
 * @import { CellResult, Run } from '../../results/types.js'
 */

/** What columns mean, by their titles. @type {Record<string, string>} */
const MEANINGS = {
  'in time after':
    "from the fault until 95 % of a second's operations were done within --slo (late before: they were not before the fault either; not seen: the run ended too soon after it)",
  'longest wait': 'for an answer of any kind (>: none came until the end)',
  'no answer': 'callers that were told nothing',
  twice: "by the server's data at the end",
  lost: "by the server's data at the end",
  'done anyway': 'though callers were told of an error',
  'MB more': 'memory',
};

/** @param {CellResult[]} cells with a fault @returns {string} what the columns of their tables mean */
export function faultNote(cells) {
  const { titles } = faultRows(cells, { ranking: [] });
  return titles.flatMap((title) => (MEANINGS[title] ? `${title}: ${MEANINGS[title]}` : [])).join('; ');
}

/**
 * How the cells of a group came through: of several runs the least and the most.
 *
 * @param {CellResult[]} cells of one group
 * @param {Pick<Comparison, 'ranking'>} comparison
 * @returns {{titles: string[], rows: {cell: CellResult, name: string, texts: string[]}[]}}
 */
export function faultRows(cells, { ranking }) {
  const names = nameSubjects(cells);
  const ranked = ranking.flatMap((place) => cells.filter(({ id }) => id === place.cell));
  const ordered = [...ranked, ...cells.filter((cell) => !ranked.includes(cell))];
  const metrics = metricsIn('fault');
  const all = ordered.map((cell) => {
    const runs = cell.runs.filter(({ failed, fault }) => failed === null && fault !== undefined);
    if (runs.length === 0) return metrics.map((_, column) => (column === 0 ? stateOf(cell) : ''));
    return metrics.map((metric) => figureText(metric, runs, cell));
  });
  // What happened to nobody needs no column.
  const said = metrics.map(({ unit }, column) =>
    all.some((texts) => texts[column] !== '' && !(unit === 'operations' && texts[column] === '0')),
  );
  return {
    titles: metrics.flatMap(({ tables }, column) => (said[column] ? (tables?.fault ?? '') : [])),
    rows: ordered.map((cell, row) => ({
      cell,
      name: names.get(cell.id) ?? cell.id,
      texts: all[row].filter((_, column) => said[column]),
    })),
  };
}

/** @param {Metric} metric @param {Run[]} runs @param {CellResult} cell */
function figureText(metric, runs, cell) {
  const outcome = metric.id === 'heldAgainMs' ? outcomeOf(cell) : null;
  if (outcome !== null && isLateBefore(outcome)) return 'late before';
  const { low, high, never } =
    outcome?.heldAgainMs ?? rangeOf(runs.map((run) => figureOfRun(metric, run) ?? null));
  // Of a time it means that it never came; nothing is waited for where nothing breaks.
  const last =
    never && metric.unit === 'ms' && faultRunsOf(cell).some(({ struckAtMs }) => struckAtMs !== null);
  const neverText = last && metric.id !== 'loopDelayMaxMs' ? 'never' : '';
  if (low === null || high === null) return (outcome?.unseenRuns ?? 0) > 0 && !never ? 'not seen' : neverText;
  const endless =
    metric.id === 'longestWaitMs' &&
    faultRunsOf(cell).some(({ longestWaitAnswered }) => !longestWaitAnswered);
  const texts = [textOf(metric, low), neverText === '' ? textOf(metric, high) : neverText];
  return `${endless ? '> ' : ''}${[...new Set(texts)].join('–')}`;
}

/** @param {CellResult} cell */
const stateOf = ({ skipped, runs }) =>
  skipped !== null ? 'skipped' : runs.length > 0 ? 'failed' : 'not run';
