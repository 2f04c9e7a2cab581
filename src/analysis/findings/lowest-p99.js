/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 * @import { LatencyContrasts } from './latency-contrasts.js'
 */

/**
 * At a rate that several cells of a group held: which have the lowest p99, and which a higher one.
 *
 * @param {LatencyContrasts} contrasts
 * @returns {Finding[]} one for each group
 */
export const lowestP99s = ({ rivals, between }) => rivals.map((members) => lowestP99(members, between));

/**
 * @param {CellResult[]} members the lowest p99 first
 * @param {LatencyContrasts['between']} between
 * @returns {Finding}
 */
function lowestP99(members, between) {
  const p99 = (/** @type {CellResult[]} */ pair) => between('p99Us', pair[0], pair[1]);
  const shown = splitBy(members, (...pair) => p99(pair).shown === true);
  const seen = splitBy(members, (...pair) => p99(pair).inEveryRun);
  // What a test carries, unless what every run showed is more.
  const by = told(shown) >= told(seen) ? (told(shown) > 0 ? 'test' : null) : 'every-run';
  const { lower, higher } = by === 'test' ? shown : seen;
  const pairs = lower.flatMap((one) => higher.map((other) => p99([one, other])));
  const unshown = pairs.filter((each) => !each.shown);
  const known = unshown.flatMap((each) => each.enoughRuns ?? []);
  return {
    kind: 'lowest-p99',
    group: members[0].group,
    cells: members.map(({ id }) => id),
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

/** @param {{lower: CellResult[], higher: CellResult[]}} split @returns {number} how many cells it tells of */
const told = ({ lower, higher }) => lower.length + higher.length;

/**
 * @param {CellResult[]} members the lowest p99 first
 * @param {(one: CellResult, other: CellResult) => boolean} differ
 * @returns {{lower: CellResult[], higher: CellResult[]}} each of the higher ones differs from the lowest, and each of
 *   the lower ones from all of those; both empty where none does
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
