import { runBorrowing, runInBatches, runOn } from './loops.js';
import { runOpenLoop } from './paced-loop.js';
import { createTally } from './tally.js';

/**
 * @import { BatchMeter, Cycle, Items, Lease } from '../plugins/types.js'
 * @import { Measured, OpenLoopCounts, Recorder, RunControl } from './types.js'
 */

/**
 * Runs all tasks at once and times each task's own loop, as the Node Redis Pipelining Test did.
 *
 * @param {object} work
 * @param {Lease} work.lease
 * @param {Items} work.items
 * @param {Cycle} work.cycle what each iteration does
 * @param {number} work.tasks
 * @param {number} [work.batchSize] iterations that a task sends together; without it each command by itself
 * @param {number} [work.iterations] per task; without it the run goes on until it is stopped
 * @param {RunControl} work.control the tasks end at their next iteration once it is stopped
 * @param {{count: number}} work.turns of the event loop
 * @param {Recorder} work.recorder
 * @param {BatchMeter} work.meter
 * @param {() => Promise<void>} [work.begin] called when all is ready; the run starts when it returns
 * @returns {Promise<Measured>}
 */
export async function measure({ lease, tasks, iterations, begin, ...work }) {
  const { control, batchSize } = work;
  const tally = createTally(control);
  const loop = { ...work, tally, limit: iterations ?? Number.POSITIVE_INFINITY };
  await begin?.();
  const startedAt = performance.now();
  const results = await Promise.all(
    Array.from({ length: tasks }, (_, index) => {
      if (batchSize !== undefined) return runInBatches(usesOf(lease, index), batchSize, loop);
      return lease.forTask ? runOn(lease.forTask(index), loop) : runBorrowing(usesOf(lease, index), loop);
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  return {
    elapsedMs,
    taskElapsedMs: results.map((task) => task.elapsedMs),
    taskIterations: results.map((task) => task.done),
    ...tally.counts(),
  };
}

/**
 * Runs an open loop: all tasks together keep to one schedule.
 *
 * @param {Omit<Parameters<typeof runOpenLoop>[0], 'tally'>} work
 * @returns {Promise<Measured & {openLoop: OpenLoopCounts}>}
 */
export async function measureOpenLoop(work) {
  const tally = createTally(work.control);
  const { elapsedMs, acknowledged, openLoop } = await runOpenLoop({ ...work, tally });
  return {
    elapsedMs,
    openLoop,
    taskElapsedMs: [elapsedMs],
    taskIterations: [acknowledged],
    ...tally.counts(),
  };
}

/**
 * @param {Lease} lease
 * @param {number} index of the task
 * @returns {NonNullable<Lease['borrow']>}
 */
function usesOf({ forTask, borrow }, index) {
  if (!forTask) return /** @type {NonNullable<typeof borrow>} */ (borrow);
  const connection = forTask(index);
  return (use) => use(connection);
}
