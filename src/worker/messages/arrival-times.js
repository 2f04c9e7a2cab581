import { recorderIf } from '../recorder.js';
import { inUnits, readClock, UNITS_PER_MS } from '../turn-clock.js';

/**
 * @import { Recorder } from '../types.js'
 *
 * @typedef {object} ArrivalTimes
 * @property {Pick<Recorder, 'encode'>} latencies from when they were meant to be sent
 * @property {Pick<Recorder, 'encode'>} fromSend
 * @property {(scheduledAt: number) => void} intend when the next message was meant to be sent, in units of the turn clock
 */

/**
 * The latencies of messages that arrive in another process, which says when that was.
 * @param {boolean} latency whether they are recorded
 */
export function createArrivalTimes(latency) {
  const create = () => recorderIf(latency, readClock);
  let latencies = create();
  let fromSend = create();
  /** @type {number | null} */
  let scheduledAt = null;
  return {
    /** @returns {ArrivalTimes} of the run that begins */
    begin() {
      latencies = create();
      fromSend = create();
      scheduledAt = null;
      return {
        latencies,
        fromSend,
        intend(at) {
          scheduledAt = at;
        },
      };
    },

    /** @returns {number} how many milliseconds ago the next message was meant to be sent */
    lateMs: () => (scheduledAt === null ? 0 : ((readClock() - scheduledAt) | 0) / UNITS_PER_MS),

    /** @param {number} tookMs @param {number} lateMs */
    count(tookMs, lateMs) {
      fromSend.count(inUnits(tookMs));
      latencies.count(inUnits(tookMs + lateMs));
    },
  };
}
