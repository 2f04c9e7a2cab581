import { UsageError } from '../errors.js';
import perf from './count-by-perf.js';
import valgrind from './count-by-valgrind.js';

/** @import { Settings } from '../options/types.js' */
/** @import { CounterSource } from './types.js' */

/** @returns {Promise<{perf: string | null, valgrind: string | null}>} why each does not work here; null where it does */
export const whyNoCounters = async () => ({
  perf: await perf.whyNot(),
  valgrind: await valgrind.whyNot(),
});

/**
 * @param {Settings['count']} wanted
 * @returns {Promise<{source: CounterSource | null, whyNot: string | null}>} null where nothing is to be counted; why, if
 *   that is this machine's doing
 * @throws {UsageError} where it must be counted and cannot
 */
export async function chooseCounter(wanted) {
  if (wanted === 'off') return { source: null, whyNot: null };
  const whyNot = await perf.whyNot();
  if (whyNot === null) return { source: perf, whyNot };
  if (wanted === 'auto') return { source: null, whyNot };
  const other = await valgrind.whyNot();
  if (other === null) return { source: valgrind, whyNot: null };
  throw new UsageError(
    `--count on: instructions can be counted neither by the processor (${whyNot}) nor by valgrind (${other}); install valgrind, or leave --count out`,
  );
}
