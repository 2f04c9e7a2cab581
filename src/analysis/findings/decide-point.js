import { mean, sum } from 'simple-statistics';
import { afterFirstStart, afterLook } from '../statistics/sequential.js';
import { opensConnections } from './compare-group.js';
import { countedStarts, startOf, undisturbed, withoutCpuMs } from './waits.js';

/** @import { Run } from '../../results/types.js' */
/** @import { Standing } from '../statistics/sequential.js' */
/** @import { PointVerdict } from '../types.js' */

/** @typedef {{id: string, runs: Run[], warm?: boolean}} PointCell */

/** Warming up never made a cell so many times faster than in its first windows. */
export const COLD = 5;

/** Each look may be the last. The same runs give the same verdict, live or saved. @param {PointCell[]} cells @returns {PointVerdict} */
export function decidePoint(cells) {
  /** @type {Map<string, Standing>} */
  const standings = new Map();
  const goodRuns = new Map(cells.map(({ id, runs }) => [id, runs.filter(({ failed }) => failed === null)]));
  const upTo = (/** @type {string} */ id, /** @type {number} */ start) =>
    (goodRuns.get(id) ?? []).filter((run) => startOf(run) <= start);
  const mostStarts = Math.max(0, ...[...goodRuns.values()].flat().map(startOf));
  let left = cells.filter(({ id }) => upTo(id, 1).length > 0);
  /** @type {ReturnType<typeof entrantOf>[]} */
  const decided = [];
  let looks = 0;
  for (let start = 1; start <= mostStarts && left.length > 0; start++) {
    // One that failed in a later start cannot win.
    left = left.filter(({ id, runs }) => isWhole(runs, upTo(id, start), start) || !standings.delete(id));
    const counted = countedStarts(left.map(({ id }) => upTo(id, start)));
    // A disturbed start says nothing new, and a single one nothing of luck.
    if (start > 1 && (!counted.includes(start) || counted.length === 1)) continue;
    const entrants = left.map((cell) => entrantOf(cell, upTo(cell.id, start), counted));
    const witnesses = decided.filter(({ sample }) => sample.length > 1);
    const found = start === 1 ? afterFirstStart(entrants) : afterLook(entrants, ++looks, witnesses);
    for (const [{ id }, standing] of found) standings.set(id, standing);
    const [best] = entrants.toSorted((a, b) => b.middle - a.middle);
    const open = left.filter(({ id }) => standings.get(id) === 'open');
    left = open.length === 0 ? [] : left.filter((cell) => open.includes(cell) || cell.id === best?.id);
    decided.push(...entrants.filter(({ id }) => !left.some((cell) => cell.id === id)));
  }
  return verdictOf(cells, standings, goodRuns, left, mostStarts);
}

/** @param {Run[]} runs @param {Run[]} good those up to this start @param {number} start */
const isWhole = (runs, good, start) =>
  good.some((run) => startOf(run) === start) && runs.every(({ failed }) => failed === null);

/** @param {PointCell} cell @param {Run[]} runs one per start @param {number[]} counted starts */
function entrantOf({ id, warm }, runs, counted) {
  const sample = runs
    .filter((run) => counted.includes(startOf(run)))
    .map((run) => ({ round: run.round, start: startOf(run), value: speedOf(run) }));
  return {
    id,
    sample,
    middle: mean(sample.map(({ value }) => Math.log(value))),
    slices: rangeOf(runs[0], warm),
    kind: Number(opensConnections({ runs })),
  };
}

/** @param {Run} run @returns {number} operations a second */
function speedOf(run) {
  const slices = undisturbed(run);
  if (slices.length === (run.slices ?? []).length) return Number(run.opsPerSecond);
  return (
    (sum(slices.map(({ operations }) => operations)) / sum(slices.map(({ elapsedMs }) => elapsedMs))) * 1000
  );
}

/** Operations per second in the slices of its first start; null if it failed. @param {PointCell} cell */
export function firstSlices({ runs, warm }) {
  const first = runs.find((run) => startOf(run) === 1 && run.failed === null);
  return first === undefined ? null : rangeOf(first, warm);
}

/** `most` as if it had been warm and never waited for CPU: then it may not be slow. @param {Run} run @param {boolean} [warm] */
function rangeOf({ slices = [], opsPerSecond }, warm = true) {
  const faster = warm ? 1 : COLD;
  if (slices.length === 0) return { least: Number(opsPerSecond), most: Number(opsPerSecond) * faster };
  const rates = slices.map(({ operations, elapsedMs }) => (operations / elapsedMs) * 1000);
  const whole = slices.map((slice) => (slice.operations / (slice.elapsedMs - withoutCpuMs(slice))) * 1000);
  return { least: Math.min(...rates), most: Math.max(...whole) * faster };
}

/**
 * @param {PointCell[]} cells @param {Map<string, Standing>} standings @param {Map<string, Run[]>} goodRuns
 * @param {PointCell[]} left @param {number} starts @returns {PointVerdict}
 */
function verdictOf(cells, standings, goodRuns, left, starts) {
  const middleOf = (/** @type {string} */ id) => {
    const runs = goodRuns.get(id) ?? [];
    const counted = countedStarts([runs]);
    return Math.exp(
      mean(runs.filter((run) => counted.includes(startOf(run))).map((run) => Math.log(speedOf(run)))),
    );
  };
  const standing = cells
    .flatMap(({ id }) => {
      const found = standings.get(id);
      return found === undefined ? [] : { cell: id, standing: found, opsPerSecond: middleOf(id) };
    })
    .sort((a, b) => rank(a.standing) - rank(b.standing) || b.opsPerSecond - a.opsPerSecond);
  const good = standing.filter((each) => each.standing === 'good');
  return {
    state:
      standing.length === 0
        ? 'not-measured'
        : left.length === 0
          ? 'decided'
          : good.length > 0
            ? 'tied'
            : 'open',
    starts,
    left: left.map(({ id }) => id),
    winners: good.map(({ cell }) => cell),
    standing,
  };
}

/** @param {Standing} standing */
const rank = (standing) => ['good', 'open', 'behind'].indexOf(standing);
