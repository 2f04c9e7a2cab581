/** What a distance may be off by: this part of it, or this long, whichever is more. */
const OFF = { part: 0.05, us: 50 };

/**
 * @param {number} lateUs what the median round trip takes longer than was asked for, or shorter
 * @param {number} rttMs that was asked for
 * @returns {boolean} whether that is another distance
 */
export const isOff = (lateUs, rttMs) => Math.abs(lateUs) > Math.max(OFF.us, rttMs * 1000 * OFF.part);
