import { nameSubjects } from '../../../../axes/cell-names.js';
import { MEASURING } from '../../../../method.js';
import { ratioShort, ratioText } from '../../../../report/figures.js';
import { inverse } from '../../../../statistics/contrasts.js';
import { cellText } from '../../../../store/metrics.js';
import { sharedTitles } from '../words/legend.js';

/** @import { Comparison } from '../../judge/types.js' */
/** @import { Finding } from '../../findings/types.js' */
/** @import { CellResult, Metric, Report, Run } from '../../../../store/types.js' */
/** @import { ColumnOf, State } from '../../../../report/types.js' */

/** @typedef {ReturnType<typeof headedGroups>['groups'][number]} HeadedGroup `heading`: what distinguishes it; empty where it is alone */
/** @typedef {ReturnType<typeof rowsOf>[number]} Row a cell in the tables; `heading`: of the first of a group */
/** @typedef {ColumnOf<Row>} Column */
/** @typedef {Comparison['ranking'][number] | undefined} Ranked missing where it is not compared */
/** @typedef {Extract<Finding, {kind: 'kept-awake'}>['awake'][number]} KeptAwake */

/** @param {CellResult[]} cells of one group @returns {boolean} whether it ran at a given rate */
const isOpen = ([{ openLoop }]) => openLoop !== null;

/** Whether the machine was too busy to compare anything. @param {Pick<Report, 'findings'>} report */
export const isBusy = ({ findings }) => findings.some(({ kind }) => kind === 'too-busy');

/** Whether nothing is compared, so that no figure says how far one is behind another. @param {Pick<Report, 'findings' | 'settings'>} report */
export const comparesNothing = (report) => report.settings.smoke || isBusy(report);

/**
 * While another may be more than 10 % faster than the one in front, or is faster though it is not warm, nothing is known to be best.
 * @param {Pick<Comparison, 'ranking'>} comparison @param {CellResult[]} cells of its group
 */
export const isBestKnown = ({ ranking: [first, ...others] }, cells) =>
  others.length > 0 &&
  others.every(
    ({ verdict, againstFastest: of }) => verdict === 'slower' || Boolean(of && of.high <= MEASURING.tie),
  ) &&
  coldIn(cells).every(({ summary }) => Number(summary?.opsPerSecond) <= first.opsPerSecond);

/** Not compared, and faster than they look. @param {CellResult[]} cells of a group */
export const coldIn = (cells) =>
  cells.filter(({ warm, floor, summary }) => warm === false && !floor && summary?.tooShort === false);

/** @param {{cells: CellResult[]}} group @returns {boolean} whether its tasks sent one operation after the other */
export const isClosed = ({ cells }) => !isOpen(cells);

/** @param {Report} report @returns what its tables need; `common`: what the titles of all groups share */
export function headedGroups(report) {
  const groups = report.comparisons.map((comparison) => ({
    comparison,
    cells: report.cells.filter(({ group }) => group === comparison.group),
  }));
  const { common, titles } = sharedTitles(
    groups.map(({ cells }) => cells),
    report,
  );
  const headed = groups.map(({ comparison, cells }, index) => {
    const heading = titles[index];
    const awake = report.findings.flatMap((finding) =>
      finding.kind === 'kept-awake' && finding.group === comparison.group ? finding.awake : [],
    );
    return {
      comparison,
      cells,
      heading,
      rows: rowsOf(cells, comparison, { heading, isOff: comparesNothing(report), awake }),
    };
  });
  return { common, groups: headed };
}

/**
 * The fastest first, at the end what failed or was skipped.
 * @param {CellResult[]} cells of one group @param {Pick<Comparison, 'ranking'>} comparison
 * @param {{heading: string, isOff: boolean, awake: KeptAwake[]}} known `isOff`: whether nothing is compared
 */
function rowsOf(cells, comparison, { heading, isOff, awake }) {
  const { ranking } = comparison;
  const names = nameSubjects(cells);
  const isOutrun = ranking.some(
    ({ cell: id, ofCeiling }) => Number(ofCeiling) > MEASURING.tie && !isCached(cells, id),
  );
  const isRated = !isClosed({ cells });
  const isKnown = !isOff && isBestKnown(comparison, cells);
  const placeOf = (/** @type {CellResult} */ { id, summary }) => {
    const place = ranking.findIndex(({ cell }) => cell === id);
    return isRated || summary === null ? (place < 0 ? ranking.length : place) : -summary.opsPerSecond;
  };
  return cells.toSorted(isRated ? byRate : (a, b) => placeOf(a) - placeOf(b)).map((cell, index) => {
    const ranked = ranking.find((each) => each.cell === cell.id);
    const state = stateOf(cell, ranked, isKnown);
    const kept = awake.find((each) => each.cell === cell.id);
    return {
      cell,
      name: String(names.get(cell.id)),
      state,
      ranked,
      behind:
        state === 'floor' && isOutrun
          ? 'no floor'
          : behindOf(state, ranked, { isAlone: ranking.length === 1, isKnown, isOff }, cell.runs),
      awake: kept === undefined ? '' : awakeText(kept, isOff),
      heading: index === 0 ? heading : '',
    };
  });
}

/**
 * What kept up stands first. In a search the highest rate that was sustained is the best, and the lowest that was not the
 * next of interest; at a given rate the lowest p99. @param {CellResult} a @param {CellResult} b
 */
function byRate(a, b) {
  const [first, second] = [a, b].map(({ openLoop, summary }) => {
    if (!summary?.openLoop || !openLoop) return [2, 0];
    const { held, p99Us } = summary.openLoop;
    const rate = openLoop.search ? openLoop.ratePerSecond * (held ? -1 : 1) : null;
    return [held ? 0 : 1, rate ?? p99Us ?? Number.MAX_VALUE];
  });
  return first[0] - second[0] || first[1] - second[1];
}

/** @param {KeptAwake} kept @param {boolean} isOff */
const awakeText = ({ timesSlower: ratio, ...kept }, isOff) =>
  isOff && kept.verdict !== 'not measured' ? '?' : ratioShort({ ratio, ...kept });

/** It asks the server less often than the floor. @param {CellResult[]} cells @param {string} id */
const isCached = (cells, id) => Number(cells.find((cell) => cell.id === id)?.summary?.cacheHitRate ?? 0) > 0;

/** @type {(cell: CellResult, ranked: Ranked, isKnown: boolean) => State} */
function stateOf({ skipped, runs, summary, warm, openLoop }, ranked, isKnown) {
  if (skipped !== null) return 'skipped';
  if (summary === null) return runs.length > 0 ? 'failed' : 'not run';
  // The rate was given, so no cell is the fastest.
  if (openLoop !== null) return summary.openLoop?.held === false ? 'not held' : 'close';
  if (ranked === undefined) return summary.tooShort ? 'too short' : warm === false ? 'not warm' : 'floor';
  if (isFirst(ranked)) return isKnown ? 'fastest' : 'unsure';
  return ranked.verdict === 'slower' ? 'slower' : 'close';
}

/**
 * @param {State} state @param {Ranked} ranked
 * @param {{isAlone: boolean, isKnown: boolean, isOff: boolean}} group `isKnown`: whether its first is known to be best
 * @param {Run[]} runs
 */
function behindOf(state, ranked, { isAlone, isKnown, isOff }, runs) {
  if (ranked === undefined) return state;
  if (isAlone) return '';
  const { timesSlower: ratio, verdict, againstFastest } = ranked;
  if (ratio === null) return 'none finished';
  if (isFirst(ranked) && !isKnown) return 'best?';
  if (isOff) return 'not decided';
  const starts = startsOf(runs);
  const interval = againstFastest && inverse(againstFastest);
  return ratioText({ low: interval?.low, high: interval?.high, ratio, verdict, starts });
}

/** It is not behind itself, even where nothing was compared. @param {NonNullable<Ranked>} ranked */
const isFirst = ({ timesSlower, verdict }) =>
  verdict === null || (verdict === 'not measured' && timesSlower === 1);

/** @param {Run[]} runs */
const startsOf = (runs) => new Set(runs.map(({ start }) => start)).size;

/** @param {HeadedGroup[]} groups @returns {boolean} whether the times of runs of different cells do not compare */
export const runsDiffer = (groups) =>
  new Set(groups.filter(isClosed).flatMap(({ cells }) => cells.flatMap(({ iterations }) => iterations ?? [])))
    .size > 1;

/** @param {Row} row */
export const headOf = ({ name, state, heading }) => ({ name, state, heading });

/** @param {Metric} metric @returns {Column} the figure of a cell */
export const metricColumn = (metric) => ({
  title: metric.title,
  text: ({ cell: { summary } }) => (summary ? cellText(metric, summary) : ''),
});
