import { sum } from 'simple-statistics';
import { contrastFamily } from '../statistics/contrasts.js';
import { LEVEL } from '../statistics/interval.js';
import { NOTABLE, sampleBy } from './slower-causes.js';
import { withoutProcessorMs } from './waits.js';

/**
 * @import { Run } from '../../results/types.js'
 * @import { Contrast, NotBorneOut } from '../types.js'
 * @import { MeasuredCell } from './compare-group.js'
 *
 * @typedef {{slower: MeasuredCell, faster: MeasuredCell, times: number}} Claim by the time alone
 */

/** Of a quiet machine's slices 1 % is disturbed (results/slice-record.js). */
const DISTURBED = 0.1;

/**
 * What bears a difference in time out. CPU has to explain half of it. What a process waits for by itself is less
 * certain beside other programs, so it must differ by more than that.
 *
 * @typedef {{of: (run: Run) => number | null | undefined, isBorneOut: (ratio: number, times: number) => boolean}} Witness
 *
 * @type {Record<string, Witness>}
 */
const WITNESSES = {
  clientCpu: { of: ({ client }) => client?.cpuUsPerOp, isBorneOut: explainsHalf },
  serverCpu: {
    of: ({ server }) => server?.allThreadsCpuUsPerCommand ?? server?.cpuUsPerCommand,
    isBorneOut: explainsHalf,
  },
  waits: { of: ownWaitUsPerOp, isBorneOut: (ratio) => ratio >= NOTABLE },
  sleeps: { of: ({ client }) => client?.contextSwitchesPerOp, isBorneOut: isNotable },
  reads: { of: ({ server }) => server?.commandsPerRead, isBorneOut: isNotable },
};

/** @param {number} ratio of the slower cell's over the faster's @param {number} times as fast */
function explainsHalf(ratio, times) {
  return Math.log(ratio) >= Math.log(times) / 2;
}

/** @param {number} ratio */
function isNotable(ratio) {
  return Math.max(ratio, 1 / ratio) >= NOTABLE;
}

/** @param {Run} run @returns {number | null} what is left of the time without its CPU and without what others took */
function ownWaitUsPerOp({ slices = [] }) {
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
  const doubtful = claims.filter(({ slower, faster }) => disturbedShare([slower, faster]) >= DISTURBED);
  const pairs = doubtful.map(({ slower, faster }) => [slower, faster]);
  const witnesses = Object.values(WITNESSES);
  const found = contrastFamily(
    witnesses.map((witness) => ({
      pairs: /** @type {[MeasuredCell, MeasuredCell][]} */ (pairs),
      of: (cell) => sampleBy(cell.runs, witness.of),
    })),
  );
  const verdicts = doubtful.map(({ slower, faster, times }) => {
    const contrasts = found.map(({ between }) => between(slower, faster));
    const isBorneOut = contrasts.some(
      (contrast, place) => contrast !== null && bearsOut(contrast, witnesses[place], times),
    );
    return isBorneOut
      ? null
      : { ...roundsOf([slower, faster]), cpuRatio: contrasts[0]?.ratio ?? null, times };
  });
  return claims.map((claim) => (doubtful.includes(claim) ? verdicts[doubtful.indexOf(claim)] : null));
}

/** @param {Contrast} contrast @param {Witness} witness @param {number} times */
const bearsOut = ({ p, ratio }, { isBorneOut }, times) => p <= 1 - LEVEL && isBorneOut(ratio, times);

/** @param {MeasuredCell[]} cells @returns {number} share of their slices */
const disturbedShare = (cells) => shareIn(cells.flatMap(({ runs }) => runs));

/** @param {Run[]} runs */
function shareIn(runs) {
  const slices = runs.flatMap((run) => run.slices ?? []);
  return slices.filter(({ disturbed }) => disturbed).length / Math.max(1, slices.length);
}

/** @param {MeasuredCell[]} cells */
function roundsOf(cells) {
  const runs = cells.flatMap((cell) => cell.runs);
  const rounds = [...new Set(runs.map(({ round }) => round))];
  const disturbed = rounds.filter((round) => shareIn(runs.filter((run) => run.round === round)) >= DISTURBED);
  return { rounds: rounds.length, disturbedRounds: disturbed.length };
}
