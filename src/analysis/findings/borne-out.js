import { sum } from 'simple-statistics';
import { LEVEL } from '../statistics/interval.js';
import { COSTS, contrastCosts, NOTABLE } from './slower-causes.js';
import { withoutProcessorMs } from './waits.js';
import { slicesOf } from './warm-runs.js';

/**
 * @import { Figures } from '../../metrics/types.js'
 * @import { Run } from '../../results/types.js'
 * @import { NotBorneOut } from '../types.js'
 * @import { Cost, Pair } from './slower-causes.js'
 *
 * @typedef {Pair & {times: number}} Claim by the time alone
 */

/** Of a quiet machine's slices 1 % is disturbed (results/slice-record.js). */
const DISTURBED = 0.1;

/** What may bear a difference in time out. @satisfies {Record<string, Cost>} */
const WITNESSES = {
  clientCpu: COSTS.clientCpu,
  serverCpu: (figures) => COSTS.serverThreads(figures) ?? COSTS.serverCpu(figures),
  waits: ownWaitUsPerOp,
  sleeps: ({ client }) => client?.contextSwitchesPerOp,
  reads: COSTS.batching,
};

/**
 * CPU has to explain half of the difference. What a process waits for by itself is less certain next to other programs,
 * so it must differ by more than that.
 * @param {string} witness @param {number} ratio of the slower cell's over the faster's @param {number} times as fast
 */
function bearsOut(witness, ratio, times) {
  if (witness === 'clientCpu' || witness === 'serverCpu') return Math.log(ratio) >= Math.log(times) / 2;
  return (witness === 'waits' ? ratio : Math.max(ratio, 1 / ratio)) >= NOTABLE;
}

/** @param {Figures} run @returns {number | null} what is left of the time without its CPU and without what others took */
function ownWaitUsPerOp(run) {
  const slices = ('slices' in run && run.slices) || [];
  if (slices.length === 0) return null;
  const ms = sum(slices.map((each) => each.elapsedMs - each.cpuUs / 1000 - withoutProcessorMs(each)));
  return Math.max(0, (1000 * ms) / sum(slices.map(({ operations }) => operations)));
}

/**
 * Differences that the time shows and nothing else does, where other programs were at work: they may have fallen on
 * one cell more often than on the other.
 * @param {Claim[]} claims of one group @returns {(NotBorneOut | null)[]} null for those that can be claimed
 */
export function notBorneOut(claims) {
  const doubtful = claims.filter(
    ({ cell, than }) => disturbedShare([...cell.runs, ...than.runs]) >= DISTURBED,
  );
  const found = contrastCosts(doubtful, WITNESSES);
  const verdicts = doubtful.map(({ cell, than, times }, index) => {
    const isBorneOut = Object.entries(found[index]).some(
      ([witness, contrast]) =>
        contrast !== null && contrast.p <= 1 - LEVEL && bearsOut(witness, contrast.ratio, times),
    );
    const cpuRatio = found[index].clientCpu?.ratio ?? null;
    return isBorneOut ? null : { ...roundsOf([...cell.runs, ...than.runs]), cpuRatio, times };
  });
  return claims.map((claim) => verdicts[doubtful.indexOf(claim)] ?? null);
}

/** @param {Run[]} runs @returns {number} share of their slices */
function disturbedShare(runs) {
  const slices = runs.flatMap(slicesOf);
  return slices.filter(({ disturbed }) => disturbed).length / Math.max(1, slices.length);
}

/** @param {Run[]} runs of both cells */
function roundsOf(runs) {
  const rounds = [...new Set(runs.map(({ round }) => round))];
  const disturbed = rounds.filter(
    (round) => disturbedShare(runs.filter((run) => run.round === round)) >= DISTURBED,
  );
  return { rounds: rounds.length, disturbedRounds: disturbed.length };
}
