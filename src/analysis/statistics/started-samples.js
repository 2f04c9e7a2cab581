import { mean } from 'simple-statistics';

/**
 * @import { Sample } from '../types.js'
 *
 * @typedef {object} Started a sample, start by start
 * @property {number} kind
 * @property {Map<number, Map<number, number>>} runs the logarithms, by start and round
 * @property {Map<number, number>} means of those, by start
 */

/** Fewer do not show how much starts differ. */
export const FEWEST_STARTS = 2;

/** @param {Sample} sample @returns {number} 0 where it does not tell */
export const countStarts = (sample) => startsIn(sample).length;

/** @param {Sample} sample */
const startsIn = (sample) => [...new Set(sample.flatMap(({ start }) => start ?? []))];

/** @param {Sample} sample @param {number} kind @returns {Started} */
export function startedOf(sample, kind) {
  /** @type {Started['runs']} */
  const runs = new Map(startsIn(sample).map((start) => [start, new Map()]));
  for (const { start, round, value } of sample)
    if (start !== undefined) runs.get(start)?.set(round, Math.log(value));
  return { kind, runs, means: new Map([...runs].map(([start, logs]) => [start, mean([...logs.values()])])) };
}
