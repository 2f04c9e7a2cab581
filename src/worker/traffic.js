import { createBatchLane, createLane } from './lanes.js';
import { inUnits } from './turn-clock.js';

/**
 * @import { Lease } from '../plugins/types.js'
 * @import { AppWork } from './busy-work.js'
 * @import { Lane, LaneWork, Uses } from './lanes.js'
 */

/**
 * The operations of an open loop that are under way.
 *
 * @param {object} work
 * @param {Lease} work.lease
 * @param {number} work.tasks operations take the connections of so many tasks in turn
 * @param {number} [work.batchSize] operations that go out together
 * @param {number} work.mostOperations under way at once
 * @param {Pick<AppWork, 'after'> | null} work.appWork that follows each operation
 * @param {Omit<LaneWork, 'onEnd'>} work.lanes
 */
export function createTraffic({ lease, tasks, batchSize, mostOperations, appWork, lanes }) {
  const counts = { inFlight: 0, most: 0, acknowledged: 0, failed: 0 };
  /** @type {Lane[]} */
  const free = [];
  const uses = usesOf(lease, tasks);
  let next = 0;
  let onEnd = () => {};

  const createNext = batchSize === undefined ? createLane : createBatchLane;
  /** @type {LaneWork} */
  const laneWork = {
    ...lanes,
    onEnd(lane, operations, failed) {
      free.push(lane);
      counts.inFlight -= operations;
      counts.failed += failed;
      counts.acknowledged += operations - failed;
      appWork?.after(operations);
      onEnd();
    },
  };

  return {
    counts,

    /** @param {() => void} listener called when an operation, or a batch of them, has ended */
    onEnd(listener) {
      onEnd = listener;
    },

    /** @param {number} operations */
    hasRoom: (operations) => counts.inFlight + operations <= mostOperations,

    /**
     * @param {number} scheduledMs
     * @param {number} nowMs
     * @param {number} first of the run's operations
     * @param {number} operations that start together
     */
    start(scheduledMs, nowMs, first, operations) {
      counts.inFlight += operations;
      if (counts.inFlight > counts.most) counts.most = counts.inFlight;
      const lane = free.pop() ?? createNext(laneWork);
      lane.start(uses[next], inUnits(scheduledMs), inUnits(nowMs), first, operations);
      next = next + 1 < uses.length ? next + 1 : 0;
    },
  };
}

/**
 * @param {Lease} lease
 * @param {number} tasks
 * @returns {Uses[]} what the operations use in turn
 */
export function usesOf({ forTask, borrow }, tasks) {
  if (!forTask) return [{ borrow: /** @type {NonNullable<typeof borrow>} */ (borrow) }];
  return Array.from({ length: tasks }, (_, index) => ({ connection: forTask(index) }));
}
