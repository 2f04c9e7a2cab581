import { createBatchLane, createLane } from './lanes.js';
import { usesInTurn } from './uses.js';

/** @import { Lease } from '../plugins/types.js' */
/** @import { AppWork } from './busy-work.js' */
/** @import { Lane, LaneWork } from './lanes.js' */

/**
 * @typedef {object} TrafficWork
 * @property {Lease} lease
 * @property {number} tasks operations take the connections of so many tasks in turn
 * @property {number} [batchSize] operations that go out together
 * @property {number} mostOperations in flight at once
 * @property {Pick<AppWork, 'after'> | null} appWork that follows each operation
 * @property {Omit<LaneWork, 'onEnd'>} lanes
 */

/** The operations of an open loop that are in flight. @param {TrafficWork} work */
export function createTraffic({ lease, tasks, batchSize, mostOperations, appWork, lanes }) {
  const counts = { inFlight: 0, most: 0, acknowledged: 0, failed: 0 };
  /** @type {Lane[]} */
  const free = [];
  const nextUse = usesInTurn(lease, tasks);
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
    inFlight: () => counts.inFlight,

    /** @param {() => void} listener called when an operation, or a batch of them, has ended */
    onEnd(listener) {
      onEnd = listener;
    },

    /** @param {number} operations */
    hasRoom: (operations) => counts.inFlight + operations <= mostOperations,

    /**
     * @param {number} scheduledMs @param {number} first of the run's operations
     * @param {number} operations that start together
     */
    start(scheduledMs, first, operations) {
      counts.inFlight += operations;
      if (counts.inFlight > counts.most) counts.most = counts.inFlight;
      const lane = free.pop() ?? createNext(laneWork);
      lane.start(nextUse(), scheduledMs, first, operations);
    },
  };
}
