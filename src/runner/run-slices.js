import { sum } from 'simple-statistics';
import { ownCpuUs } from '../metrics/client-figures.js';
import { workersOf } from '../plan/loads.js';
import { operationsCpuUs, operationsSwitches, sliceFigures } from '../results/slice-record.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { FixedCost, Slice } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observer } from './types.js' */

/** @typedef {{seen: Awaited<ReturnType<Observer>>, figures: Slice}} TakenSlice */

/** The lowest was disturbed least. */
const FIXED_COST_RUNS = 3;
/** For one disturbed slice. */
const MOST_REPEATS = 3;
/** Repeating helps against occasional noise; above this share of disturbed slices it only takes longer. */
const NOW_AND_THEN = 0.4;
/** This many may be disturbed before the share is known. */
const FIRST_FEW = 2;

/** Runs the slices of a cell. @param {Cell} cell @param {RunContext} context @param {Observer} observe */
export function createSlices(cell, { placer, idleWorkers, signal }, observe) {
  const { workerCpus } = placer.placementFor(cell.pin);
  // Otherwise worker and server, or several workers, wait for each other.
  const ownProcessor = cell.pin === 'apart' && workerCpus !== null && workersOf(cell) === 1;
  const repeatable = ownProcessor && cell.openLoop === null;
  /** @type {FixedCost | null} */
  let fixedCost = null;
  /** @type {TakenSlice[]} of the current run */
  let taken = [];
  /** A map counts all cells together, because one has too few slices. */
  const counts = idleWorkers?.slices ?? { executed: 0, disturbed: 0 };

  /** @param {RunLength} length @returns {Promise<TakenSlice>} */
  async function execute(length) {
    counts.executed++;
    const seen = await observe(length);
    const cpuUs = operationsCpuUs(seen.measured, fixedCost);
    const contextSwitches = operationsSwitches(seen.measured, fixedCost);
    const client = { ...seen.measured.client, cpuUs, contextSwitches };
    const net = { ...seen, measured: { ...seen.measured, client } };
    const figures = sliceFigures(net, ownProcessor ? workerCpus.length : null);
    if (figures.disturbed) counts.disturbed++;
    return { seen: net, figures };
  }

  /** A failed or stalled slice is kept, to be reported. @param {TakenSlice} slice */
  const isToRepeat = ({ seen, figures }) =>
    repeatable &&
    figures.disturbed &&
    seen.stalledMs === 0 &&
    !hasFailed(seen) &&
    counts.disturbed <= FIRST_FEW + NOW_AND_THEN * counts.executed;

  const hasOneFailed = () => taken.some(({ seen }) => hasFailed(seen));

  return {
    /** Measures a slice's cost without operations: one iteration per task is hardly anything else. */
    async measureFixedCost() {
      /** @type {FixedCost[]} */
      const costs = [];
      for (let count = 0; count < FIXED_COST_RUNS; count++) {
        const { measured } = await observe({ iterations: 1 });
        const { client, taskIterations } = measured;
        costs.push({
          cpuUs: ownCpuUs(client),
          operations: sum(taskIterations),
          contextSwitches: client.contextSwitches,
        });
      }
      fixedCost = costs.reduce((least, cost) => (cost.cpuUs < least.cpuUs ? cost : least));
    },

    /** Repeats a slice by CPU waits, never by its result. @param {RunLength} length @param {boolean} [mayRepeat] */
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

    /** Drops warm-up slices, unless one failed: failures are recorded. */
    forget() {
      if (!hasOneFailed()) taken = [];
    },

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
