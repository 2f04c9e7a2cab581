import { sum } from 'simple-statistics';
import { ownCpuUs } from '../results/cost-record.js';
import { operationsCpuUs, sliceFigures } from '../results/slice-record.js';

/**
 * @import { FixedCost, Slice } from '../results/types.js'
 * @import { RunLength } from '../worker/types.js'
 * @import { MeasuredCell } from './run-cell.js'
 * @import { SeenSlice } from './types.js'
 */

/**
 * @typedef {object} TakenSlice
 * @property {Omit<SeenSlice, 'connections' | 'remarks'>} seen
 * @property {Slice} figures
 */

/** So many times the fixed cost is measured; the least of them was disturbed least. */
const FIXED_COST_RUNS = 3;
/**
 * How many of a cell's slices are run again because they were disturbed, as a part of those that it has: on
 * a machine that is always busy, a benchmark must not take three times as long and be disturbed all the same.
 */
const REPEATED = 0.25;

/**
 * Executes the slices of a cell's runs.
 *
 * @param {MeasuredCell} measured
 */
export function createSlices({ cell, context, log, observe }) {
  const { workerCpus } = context.placer.placementFor(cell.pin);
  // Elsewhere worker and server, or several workers, wait for each other.
  const ownProcessor = cell.pin === 'apart' && workerCpus !== null && cell.processes === 1;
  const repeatable = ownProcessor && cell.openLoop === null;
  /** @type {FixedCost | null} */
  let fixedCost = null;
  /** @type {TakenSlice[]} of the run under way */
  let taken = [];
  let executed = 0;
  let repeated = 0;

  /** @param {RunLength} length @returns {Promise<TakenSlice>} */
  async function execute(length) {
    executed++;
    const seen = await observe({ ...length, ratePerSecond: log.current().openLoop?.ratePerSecond });
    const cpuUs = operationsCpuUs(seen.measured, fixedCost);
    const net = { ...seen, measured: { ...seen.measured, client: { ...seen.measured.client, cpuUs } } };
    return { seen: net, figures: sliceFigures(net, ownProcessor ? workerCpus.length : null) };
  }

  /** @param {TakenSlice} slice one that failed or stalled is kept, so that it is told */
  const isToRepeat = ({ seen, figures }) =>
    repeatable &&
    figures.disturbed &&
    seen.stalledMs === 0 &&
    !hasFailed(seen) &&
    repeated < REPEATED * executed;

  return {
    /**
     * Measures what a slice costs besides its operations: starting the tasks, the probes, the request and its
     * answer. With one iteration of each task there is hardly anything else.
     */
    async measureFixedCost() {
      /** @type {FixedCost[]} */
      const costs = [];
      for (let count = 0; count < FIXED_COST_RUNS; count++) {
        const { measured } = await observe({ iterations: 1 });
        costs.push({ cpuUs: ownCpuUs(measured.client), operations: sum(measured.taskIterations) });
      }
      fixedCost = costs.reduce((least, cost) => (cost.cpuUs < least.cpuUs ? cost : least));
    },

    /**
     * One slice of the run under way. Whether it is run again is decided by who had to wait for a processor,
     * never by its result.
     *
     * @param {number} round
     * @param {RunLength} length
     */
    async run(round, length) {
      // A run that has failed is over.
      if (taken.some(({ seen }) => hasFailed(seen))) return;
      context.onEvent({ type: 'run', cell: log.current(), round });
      let slice = await execute(length);
      let repeats = 0;
      while (isToRepeat(slice)) {
        if (context.signal.aborted) return;
        repeated++;
        repeats++;
        slice = await execute(length);
      }
      if (!context.signal.aborted) taken.push({ ...slice, figures: { ...slice.figures, repeats } });
    },

    /** @returns {TakenSlice[]} the slices of the run under way, which ends with this */
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
