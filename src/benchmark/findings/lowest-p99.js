import { alike, everyPair } from '../../core/alike.js';
import { duration, spanOf } from '../../core/report/figures.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { apartInEveryRun, enoughRuns } from '../../core/statistics/enough-runs.js';
import { metricNamed, samplesOf } from '../../core/store/metrics.js';
import { about } from './about.js';
import { defineFinding } from './define.js';

/** @import { CellResult } from '../../core/store/types.js' */

/** An open loop counts from the planned start. */
const P99 = metricNamed('p99Us');

/**
 * Which cells have the lowest p99 at a rate that all of them sustained: all groups as one family.
 *
 * `figures`: of the median run, the lowest first. Each of `higher` differs from each of `lower`, which includes the lowest; both are
 * empty if nothing differs. `pairs`: of one of `lower` with one of `higher`; `enoughRuns`: about how many runs a test would need.
 */
export default defineFinding({
  id: 'lowest-p99',
  place: 'cause',

  find({ cells }) {
    const rivals = rivalsIn(cells);
    const between = differencesOf(rivals);
    return rivals.map((members) => lowestP99(members, between));
  },

  say({ figures, lower, higher, by, tested, runs, enoughRuns: enough }, { name }) {
    if (by === null) {
      const range = spanOf(duration, figures, ({ p99Us }) => p99Us);
      return tested
        ? `No significant difference in p99 (${range}).`
        : `Too few runs to compare p99 (${range}).`;
    }
    const p99Of = (/** @type {string} */ id) => duration(figures.find(({ cell }) => cell === id)?.p99Us ?? 0);
    const [low, high] = [
      `${name(lower[0])} (${p99Of(lower[0])})`,
      `${name(higher[0])} (${p99Of(higher[0])})`,
    ];
    if (by === 'test') return `Significantly lower p99: ${low} than ${high}.`;
    return enough === null
      ? `Lower p99 in every run: ${low} than ${high}, but not significantly.`
      : `Lower p99 in every run: ${low} than ${high}; ${runs} runs may be chance, about ${enough} are needed.`;
  },
});

/** @typedef {(cell: CellResult, other: CellResult) => Difference} Between */

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
      enoughRuns: shown === false && inEveryRun ? enoughRuns(a, b, tested.comparisons) : null,
    };
  };
}

/**
 * `shown`: whether it is significant, null with fewer than two runs; `inEveryRun`: whether all runs of one lie far above all of the
 * other; `enoughRuns`: null if it is significant already, or unknown.
 * @typedef {{shown: boolean | null, inEveryRun: boolean, enoughRuns: number | null}} Difference
 */

/** By group. At a rate that was not sustained a latency mostly shows how long the run was. @param {CellResult[]} cells */
function rivalsIn(cells) {
  const held = cells.filter(
    (cell) =>
      cell.fault === undefined && !cell.openLoop?.search && cell.summary?.openLoop?.held && hasLatency(cell),
  );
  return alike(held, ({ group }) => group)
    .filter((members) => members.length > 1)
    .map((members) => members.toSorted((a, b) => p99Of(a) - p99Of(b)));
}

/** @param {CellResult} cell */
const hasLatency = ({ summary }) => summary?.latency != null && !summary.tooShort;

/** @param {CellResult} cell */
const p99Of = ({ summary }) => Number(summary?.openLoop?.p99Us);

/** @param {CellResult[]} members the lowest first @param {Between} between */
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
    ...about(members, members[0].group),
    figures: members.map((cell) => ({ cell: cell.id, p99Us: p99Of(cell) })),
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
