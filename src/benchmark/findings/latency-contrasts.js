import { contrastFamily } from '../../core/statistics/contrasts.js';
import { apartInEveryRun, enoughRuns } from '../../core/statistics/enough-runs.js';
import { metricNamed, samplesOf } from '../../core/store/metrics/metric-values.js';
import { alike, everyPair } from '../judge/alike.js';
import { about } from './about.js';

/** @import { CellResult } from '../../core/store/types.js' */
/** @import { Finding, LatencyDifference } from '../judge/types.js' */

/** An open loop counts from the planned start. */
const P99 = metricNamed('p99Us');

/**
 * @typedef {[CellResult, CellResult]} Pair
 * @typedef {(cell: CellResult, other: CellResult) => LatencyDifference} Between
 */

/** Which cells have the lowest p99 at a rate, and which a higher one: all as one family. @param {CellResult[]} cells @returns {Finding[]} */
export function lowestP99s(cells) {
  const rivals = rivalsIn(cells);
  const between = differencesOf(rivals);
  return rivals.map((members) => lowestP99(members, between));
}

/** @param {CellResult[][]} rivals by group @returns {Between} */
function differencesOf(rivals) {
  const contrasts = contrastFamily(
    rivals.map((members) => ({ pairs: everyPair(members), of: (cell) => samplesOf(cell.runs, P99) })),
  );
  return (cell, other) => {
    const { between, tested } = contrasts[rivals.findIndex((members) => members.includes(cell))];
    const [a, b] = [cell, other].map(({ runs }) => samplesOf(runs, P99));
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
const hasLatency = ({ summary }) => summary?.latency != null && !summary.tooShort;

/** @param {CellResult[]} members the lowest first @param {Between} between @returns {Finding} */
function lowestP99(members, between) {
  const p99 = (/** @type {CellResult[]} */ pair) => between(pair[0], pair[1]);
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
