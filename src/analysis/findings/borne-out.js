import { sum } from 'simple-statistics';
import { LEVEL } from '../statistics/interval.js';
import { COSTS, contrastCosts, NOTABLE } from './slower-causes.js';
import { withoutCpuMs } from './waits.js';
import { slicesOf } from './warm-runs.js';

/**
 * @import { Figures } from '../../metrics/types.js'
 * @import { Run } from '../../results/types.js'
 * @import { NotBorneOut } from '../types.js'
 * @import { Cost, Pair } from './slower-causes.js'
 *
 * @typedef {Pair & {times: number}} Claim by the time alone
 */

/** On a quiet machine 1 % of the slices is disturbed (results/slice-record.js). */
const DISTURBED = 0.1;

/** What may confirm a difference in time. @satisfies {Record<string, Cost>} */
const WITNESSES = {
  clientCpu: COSTS.clientCpu,
  serverCpu: (figures) => COSTS.serverThreads(figures) ?? COSTS.serverCpu(figures),
  waits: ownWaitUsPerOp,
  sleeps: ({ client }) => client?.contextSwitchesPerOp,
  reads: COSTS.batching,
};

/**
 * CPU must explain half of the difference. Waits and sleeps are less reliable next to other programs, so they must differ by more.
 * @param {string} witness @param {number} ratio slower over faster @param {number} times
 */
function confirms(witness, ratio, times) {
  if (witness === 'clientCpu' || witness === 'serverCpu') return Math.log(ratio) >= Math.log(times) / 2;
  return (witness === 'waits' ? ratio : Math.max(ratio, 1 / ratio)) >= NOTABLE;
}

/** The time per operation without CPU and without what other programs took. @param {Figures} run @returns {number | null} */
function ownWaitUsPerOp(run) {
  const slices = ('slices' in run && run.slices) || [];
  if (slices.length === 0) return null;
  const ms = sum(slices.map((each) => each.elapsedMs - each.cpuUs / 1000 - withoutCpuMs(each)));
  return Math.max(0, (1000 * ms) / sum(slices.map(({ operations }) => operations)));
}

/**
 * Differences that only the time shows while other programs ran, which may have hit one cell more than the other.
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
        contrast !== null && contrast.p <= 1 - LEVEL && confirms(witness, contrast.ratio, times),
    );
    const cpuRatio = found[index].clientCpu?.ratio ?? null;
    return isBorneOut ? null : { ...roundsOf([...cell.runs, ...than.runs]), cpuRatio, times };
  });
  return claims.map((claim) => verdicts[doubtful.indexOf(claim)] ?? null);
}

/** @param {Run[]} runs */
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
