import { backgroundIn } from '../../axes/conditions.js';
import { roundsOf, sameBut } from '../../axes/ids.js';
import { metricNamed, samplesOf } from '../../metrics/metric-values.js';
import { alike, everyPair } from '../alike.js';
import { contrastFamily } from '../statistics/contrasts.js';
import { apartInEveryRun, enoughRuns } from '../statistics/enough-runs.js';
import { about } from './about.js';

/** @import { CellResult } from '../../results/types.js' */
/** @import { Finding, LatencyDifference } from '../types.js' */

/** An open loop counts from the planned start. */
const METRICS = /** @type {const} */ (['p50Us', 'p99Us']);

/**
 * @typedef {typeof METRICS[number]} LatencyMetric
 * @typedef {[CellResult, CellResult]} Pair
 * @typedef {(metric: LatencyMetric, cell: CellResult, other: CellResult) => LatencyDifference} Between
 * @typedef {ReturnType<typeof latencyContrasts>} LatencyContrasts `background`: cells with background load and without;
 *   `rivals`: cells that sustained the same rate under the same conditions
 */

/** All as one family: with background load and without; in an open loop all p99s. @param {CellResult[]} cells */
export function latencyContrasts(cells) {
  const background = withAndWithout(cells);
  const rivals = rivalsIn(cells);
  const asked = [
    ...background.flatMap((pair) => METRICS.map((metric) => ({ metric, pair }))),
    ...rivals.flatMap((members) =>
      everyPair(members).map((pair) => ({ metric: /** @type {LatencyMetric} */ ('p99Us'), pair })),
    ),
  ];
  return { background, rivals, between: differencesOf(asked) };
}

/** @param {{metric: LatencyMetric, pair: Pair}[]} asked @returns {Between} */
function differencesOf(asked) {
  const blocks = alike(asked, ({ metric, pair }) => `${metric} ${roundsOf(pair[0])}`);
  const contrasts = contrastFamily(
    blocks.map((own) => ({
      pairs: own.map(({ pair }) => pair),
      of: (cell) => samplesOf(cell.runs, metricNamed(own[0].metric)),
    })),
  );
  return (metric, cell, other) => {
    const isOf = (/** @type {typeof asked[number]} */ each) =>
      each.metric === metric && each.pair.includes(cell) && each.pair.includes(other);
    const { between, tested } = contrasts[blocks.findIndex((own) => own.some(isOf))];
    const [a, b] = [cell, other].map(({ runs }) => samplesOf(runs, metricNamed(metric)));
    const shown = between(cell, other)?.differs ?? null;
    const inEveryRun = apartInEveryRun(a, b);
    return {
      shown,
      inEveryRun,
      runs: Math.min(a.length, b.length),
      enoughRuns: shown === false && inEveryRun ? enoughRuns(a, b, tested.comparisons) : null,
    };
  };
}

/** @param {CellResult[]} cells @returns {Pair[]} */
function withAndWithout(cells) {
  const rest = sameBut(['beside'], cells);
  return cells
    .filter((cell) => !isAlone(cell) && hasLatency(cell))
    .flatMap((cell) => {
      const alone = cells.find((other) => isAlone(other) && hasLatency(other) && rest(other) === rest(cell));
      return alone ? [/** @type {Pair} */ ([cell, alone])] : [];
    });
}

/** By group. At a rate that was not sustained a latency mostly shows how long the run was. @param {CellResult[]} cells */
function rivalsIn(cells) {
  const held = cells.filter(
    (cell) =>
      cell.fault === undefined && !cell.openLoop?.search && cell.summary?.openLoop?.held && hasLatency(cell),
  );
  const p99Of = (/** @type {CellResult} */ { summary }) => Number(summary?.openLoop?.p99Us);
  return alike(held, ({ group }) => group)
    .filter((members) => members.length > 1)
    .map((members) => members.toSorted((a, b) => p99Of(a) - p99Of(b)));
}

/** @param {CellResult} cell */
const isAlone = (cell) => backgroundIn(cell).length === 0;

/** @param {CellResult} cell */
const hasLatency = ({ summary }) => summary?.latency != null && !summary.tooShort;

/** Which cells have the lowest p99 at a rate, and which a higher one. @param {LatencyContrasts} contrasts @returns {Finding[]} */
export const lowestP99s = ({ rivals, between }) => rivals.map((members) => lowestP99(members, between));

/** @param {CellResult[]} members the lowest first @param {Between} between @returns {Finding} */
function lowestP99(members, between) {
  const p99 = (/** @type {CellResult[]} */ pair) => between('p99Us', pair[0], pair[1]);
  const shown = splitBy(members, (...pair) => p99(pair).shown === true);
  const seen = splitBy(members, (...pair) => p99(pair).inEveryRun);
  // What a test shows, unless every run shows more.
  const by = countOf(shown) >= countOf(seen) ? (countOf(shown) > 0 ? 'test' : null) : 'every-run';
  const { lower, higher } = by === 'test' ? shown : seen;
  const pairs = lower.flatMap((one) => higher.map((other) => p99([one, other])));
  const unshown = pairs.filter((each) => !each.shown);
  const known = unshown.flatMap((each) => each.enoughRuns ?? []);
  return {
    kind: 'lowest-p99',
    ...about(members, members[0].group),
    figures: members.map(({ id, summary }) => ({ cell: id, p99Us: Number(summary?.openLoop?.p99Us) })),
    lower: lower.map(({ id }) => id),
    higher: higher.map(({ id }) => id),
    by,
    tested: p99(members).shown !== null,
    runs: Math.min(...members.map(({ summary }) => Number(summary?.runs))),
    pairs: pairs.length,
    shownPairs: pairs.length - unshown.length,
    enoughRuns: unshown.length > 0 && known.length === unshown.length ? Math.max(...known) : null,
  };
}

/** @param {{lower: CellResult[], higher: CellResult[]}} split */
const countOf = ({ lower, higher }) => lower.length + higher.length;

/**
 * Each of `higher` differs from the lowest, and each of `lower` from all of those.
 * @param {CellResult[]} members the lowest first @param {(one: CellResult, other: CellResult) => boolean} differ
 * @returns {{lower: CellResult[], higher: CellResult[]}}
 */
function splitBy(members, differ) {
  const [lowest] = members;
  const higher = members.slice(1).filter((cell) => differ(lowest, cell));
  if (higher.length === 0) return { lower: [], higher: [] };
  const lower = members.filter(
    (cell) => !higher.includes(cell) && higher.every((other) => differ(cell, other)),
  );
  return { lower, higher };
}
