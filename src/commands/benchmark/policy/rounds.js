/** Which runs a start has, and which cells take part in each. */
import { MEASURING } from '../../../method.js';

/**
 * @typedef {{perMs: number | null}} Warm a cell after its warm-up
 * @typedef {{planned: 'race' | number[], starts: number}} Start `starts`: so far, with this one
 */

/** @param {Start} start */
const isFirstOfRace = ({ planned, starts }) => planned === 'race' && starts === 1;

/**
 * Those that are no more than so many times slower, as far as warm-ups show.
 * @template {Warm} Racer @param {Racer[]} racers
 */
export function nearBest(racers) {
  const least = Math.max(...racers.map(({ perMs }) => Number(perMs))) / MEASURING.farBehind;
  return racers.filter(({ perMs }) => Number(perMs) >= least);
}

/**
 * Of the runs of a start, in turn. Where both states are measured, those in which processors are kept awake come on top.
 * @param {number} runs as the machine is, unless it is always kept awake @param {boolean[]} states @param {number} [start]
 * @returns {boolean[]} whether processors are kept awake
 */
export function statesOf(runs, [own, other], start = 1) {
  const all = new Array(runs).fill(own);
  const kept = other === undefined ? 0 : Math.ceil(runs * MEASURING.keptAwake);
  for (let place = kept; place > 0; place--) all.splice(Math.round((place * runs) / (kept + 1)), 0, other);
  return start % 2 === 0 ? all.reverse() : all;
}

/**
 * In the first start of a race, what is far behind has no runs in which processors are kept awake, where both states are measured.
 * @param {number} run of the start @param {boolean[]} states of its runs
 * @template {Warm} Racer @param {Racer[]} racers @param {Start} start @returns {Racer[]}
 */
export const inRun = (run, states, racers, start) =>
  states[run] !== states[0] && isFirstOfRace(start) ? nearBest(racers) : racers;

/**
 * In the first start of a race, what is near the best alternates only with what will race on, as in later starts. Among all
 * twelve, a cell waits for half a second between its slices, and lost 10 to 15 % to caches that others had filled.
 * @template {Warm} Racer @param {Racer[]} measured @param {Start} start @returns {Racer[][]}
 */
export function interleavedSets(measured, start) {
  if (!isFirstOfRace(start)) return [measured];
  const near = new Set(nearBest(measured));
  return [[...near], measured.filter((racer) => !near.has(racer))];
}
