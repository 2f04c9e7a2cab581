import { MOST_US } from './format.js';

const SECOND_US = 1e6;
/** Parts of the time of which the rate is told. */
const PARTS = 60;

/** How many commands came in each second. */
export function countSeconds() {
  /** Ten megabytes for a month, of which only what is used takes memory. */
  const counts = new Uint32Array(MOST_US / SECOND_US + 1);
  return {
    /** @param {number} atUs */
    add(atUs) {
      counts[Math.floor(atUs / SECOND_US)]++;
    },

    /** @param {number} durationUs @returns {number} in any whole second */
    most(durationUs) {
      const whole = counts.subarray(0, Math.max(1, Math.floor(durationUs / SECOND_US)));
      return whole.reduce((most, count) => Math.max(most, count), 0);
    },

    /** @param {number} durationUs @returns {{fromUs: number, perSecond: number}[]} */
    parts(durationUs) {
      const seconds = Math.floor(durationUs / SECOND_US);
      const each = Math.ceil(seconds / PARTS);
      return Array.from({ length: each === 0 ? 0 : Math.ceil(seconds / each) }, (_, index) => {
        const part = counts.subarray(index * each, Math.min(seconds, (index + 1) * each));
        const sum = part.reduce((total, count) => total + count, 0);
        return { fromUs: index * each * SECOND_US, perSecond: sum / part.length };
      });
    },
  };
}
