import { sumNthPowerDeviations } from 'simple-statistics';
import { LEVEL } from './interval.js';
import { mannWhitney, smallestP } from './mann-whitney.js';
import { startTest } from './start-test.js';
import { paired, welch } from './t-test.js';

/** @import { Sample, Shift, Tested } from '../../benchmark/judge/types.js' */
/** @import { StartTest } from './start-test.js' */

/** Below this correlation between rounds a paired test is weaker (see contrasts.js). */
const ALIKE = 0.6;
/** Fewer rounds cannot show a correlation, nor give a paired test any power. */
const FEWEST_ROUNDS = 5;
/** Chance exceeds this many standard deviations once in a hundred times. */
const NOT_BY_CHANCE = 2.33;

/**
 * @typedef {(a: number[], b: number[]) => Shift} Test of logarithms
 * @typedef {{by: NonNullable<Tested['by']>, shiftOf: StartTest['shiftOf']} & Partial<StartTest>} Chosen
 */

/**
 * Chooses by the number of starts and runs and by the correlation of rounds (see contrasts.js).
 * @param {[Sample, Sample][]} pairs @param {{rounds: Sample[], inRounds: boolean, kindOf: (sample: Sample) => number}} known
 * @param {number} comparisons in the whole family @returns {Chosen}
 */
export function chooseTest(pairs, { rounds, ...known }, comparisons) {
  const byStarts = startTest(pairs, known);
  if (byStarts !== null) return { by: 'starts', ...byStarts };
  const { by, test } = testOfRuns(pairs, rounds, comparisons);
  const samples = [...new Set(pairs.flat())];
  const logs = new Map(samples.map((sample) => [sample, sample.map(({ value }) => Math.log(value))]));
  return { by, shiftOf: ([a, b]) => test(logs.get(a) ?? [], logs.get(b) ?? []) };
}

/** @param {[Sample, Sample][]} pairs @param {Sample[]} rounds @param {number} comparisons @returns {{by: Chosen['by'], test: Test}} */
function testOfRuns(pairs, rounds, comparisons) {
  if (moveTogether(rounds)) {
    return { by: 'paired', test: paired };
  }
  const sizes = new Map(pairs.map(([a, b]) => [`${a.length} ${b.length}`, [a.length, b.length]]));
  const bestP = Math.max(...[...sizes.values()].map(([n, m]) => smallestP(n, m)));
  return bestP * comparisons <= 1 - LEVEL
    ? { by: 'mann-whitney', test: mannWhitney }
    : { by: 'welch', test: welch };
}

/** Whether rounds are good or bad for all cells: by the mean rank correlation, from Kendall's W. @param {Sample[]} samples */
function moveTogether(samples) {
  const cells = samples.length;
  if (cells < 2 || samples[0].length < FEWEST_ROUNDS) return false;
  const rounds = samples[0].map(({ round }) => round);
  if (samples.some((sample) => sample.map(({ round }) => round).join() !== rounds.join())) return false;
  const sums = new Array(rounds.length).fill(0);
  for (const sample of samples) {
    const ascending = sample.map(({ value }, index) => ({ value, index })).sort((a, b) => a.value - b.value);
    for (const [rank, { index }] of ascending.entries()) sums[index] += rank;
  }
  const most = (cells ** 2 * (rounds.length ** 3 - rounds.length)) / 12;
  const concordance = sumNthPowerDeviations(sums, 2) / most;
  const correlation = (cells * concordance - 1) / (cells - 1);
  // By chance each pair's correlation is 0 on average, with a variance of 1 / (rounds - 1).
  const deviation = 1 / Math.sqrt(((cells * (cells - 1)) / 2) * (rounds.length - 1));
  return correlation >= Math.max(ALIKE, NOT_BY_CHANCE * deviation);
}
