import { sum } from 'simple-statistics';
import { ownCpuUs } from '../metrics/client-figures.js';
import { workersOf } from '../plan/loads.js';
import { operationsCounts, operationsCpuUs, sliceFigures } from '../results/slice-record.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { FixedCost, Slice } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observer } from './types.js' */

/** @typedef {{seen: Awaited<ReturnType<Observer>>, figures: Slice}} TakenSlice */

/** The least of them was disturbed least. */
const FIXED_COST_RUNS = 3;
/** Of one slice that was disturbed. */
const MOST_REPEATS = 3;
/** Repeating helps against occasional noise. Where more than this part of the slices is disturbed, it only takes longer. */
const NOW_AND_THEN = 0.4;
/** These may be disturbed before that part is known. */
const FIRST_FEW = 2;

/** Executes the slices of a cell's runs. @param {Cell} cell @param {RunContext} context @param {Observer} observe */
export function createSlices(cell, { placer, idleWorkers, signal }, observe) {
  const { workerCpus } = placer.placementFor(cell.pin);
  // Otherwise worker and server, or several workers, wait for each other.
  const ownProcessor = cell.pin === 'apart' && workerCpus !== null && workersOf(cell) === 1;
  const repeatable = ownProcessor && cell.openLoop === null;
  /** @type {FixedCost | null} */
  let fixedCost = null;
  /** @type {TakenSlice[]} of the current run */
  let taken = [];
  /** A map counts all cells together: one alone has too few slices. */
  const counts = idleWorkers?.slices ?? { executed: 0, disturbed: 0 };

  /** @param {RunLength} length @returns {Promise<TakenSlice>} */
  async function execute(length) {
    counts.executed++;
    const seen = await observe(length);
    const cpuUs = operationsCpuUs(seen.measured, fixedCost);
    const client = { ...seen.measured.client, cpuUs, counts: operationsCounts(seen.measured, fixedCost) };
    const net = { ...seen, measured: { ...seen.measured, client } };
    const figures = sliceFigures(net, ownProcessor ? workerCpus.length : null);
    if (figures.disturbed) counts.disturbed++;
    return { seen: net, figures };
  }

  /** One that failed or stalled is kept, so that it is reported. @param {TakenSlice} slice */
  const isToRepeat = ({ seen, figures }) =>
    repeatable &&
    figures.disturbed &&
    seen.stalledMs === 0 &&
    !hasFailed(seen) &&
    counts.disturbed <= FIRST_FEW + NOW_AND_THEN * counts.executed;

  const hasOneFailed = () => taken.some(({ seen }) => hasFailed(seen));

  return {
    /** Measures what a slice costs besides its operations: one iteration of each task is hardly anything else. */
    async measureFixedCost() {
      /** @type {FixedCost[]} */
      const costs = [];
      for (let count = 0; count < FIXED_COST_RUNS; count++) {
        const { measured } = await observe({ iterations: 1 });
        const { client, taskIterations } = measured;
        costs.push({ cpuUs: ownCpuUs(client), operations: sum(taskIterations), counts: client.counts });
      }
      fixedCost = costs.reduce((least, cost) => (cost.cpuUs < least.cpuUs ? cost : least));
    },

    /** Repeats a slice by who had to wait for CPU, never by its result. @param {RunLength} length @param {boolean} [mayRepeat] */
    async run(length, mayRepeat = true) {
      let slice = await execute(length);
      let repeats = 0;
      while (mayRepeat && repeats < MOST_REPEATS && isToRepeat(slice)) {
        if (signal.aborted) return;
        repeats++;
        slice = await execute(length);
      }
      if (!signal.aborted) taken.push({ ...slice, figures: { ...slice.figures, repeats } });
    },

    figures: () => taken.map(({ figures }) => figures),

    hasFailed: hasOneFailed,

    /** They were warm-up, unless one failed: that is recorded. */
    forget() {
      if (!hasOneFailed()) taken = [];
    },

    /** Ends the current run. */
    take() {
      const slices = taken;
      taken = [];
      return slices;
    },
  };
}

/** @param {TakenSlice['seen']} seen */
const hasFailed = ({ measured, evictedKeys, expiredKeys }) =>
  measured.wrongReplies + Object.keys(measured.errors).length + evictedKeys + expiredKeys > 0;
