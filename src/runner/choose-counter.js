import { messageOf, UsageError } from '../errors.js';
import perf from './count-by-perf.js';
import valgrind from './count-by-valgrind.js';

/** @import { Settings } from '../options/types.js' */
/** @import { CounterSource } from './types.js' */

/** @param {CounterSource} source @returns {Promise<string | null>} null if it works here */
const reasonAgainst = ({ check }) => check().then(() => null, messageOf);

/** @returns {Promise<{perf: string | null, valgrind: string | null}>} why each does not work here, or null */
export const whyNoCounters = async () => ({
  perf: await reasonAgainst(perf),
  valgrind: await reasonAgainst(valgrind),
});

/**
 * @param {Settings['count']} wanted @returns {Promise<{source: CounterSource | null, whyNot: string | null}>}
 * @throws {UsageError} if instructions must be counted but cannot be
 */
export async function chooseCounter(wanted) {
  if (wanted === 'off') return { source: null, whyNot: null };
  const whyNot = await reasonAgainst(perf);
  if (whyNot === null) return { source: perf, whyNot };
  if (wanted === 'auto') return { source: null, whyNot };
  const other = await reasonAgainst(valgrind);
  if (other === null) return { source: valgrind, whyNot: null };
  throw new UsageError(
    `--count on: instructions can be counted neither by the processor (${whyNot}) nor by valgrind (${other}); install valgrind, or leave --count out`,
  );
}
