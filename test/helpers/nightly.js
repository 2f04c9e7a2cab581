/**
 * Whether all variants, releases and transports are tested (`npm run test:all`), or of each client the default one
 * (`npm test`).
 */
export const NIGHTLY = process.env.TEST_ALL === '1';

/**
 * How often something random is tried: the same few times by day, anew and often at night. FUZZ_TRIES and FUZZ_SEED change it.
 *
 * @param {number} byDay
 * @param {number} [atNight]
 * @returns {{numRuns: number, seed?: number}}
 */
export function fuzz(byDay, atNight = 10_000) {
  const { FUZZ_TRIES, FUZZ_SEED } = process.env;
  const numRuns = Number(FUZZ_TRIES ?? (NIGHTLY ? atNight : byDay));
  if (NIGHTLY && FUZZ_SEED === undefined) return { numRuns };
  return { numRuns, seed: Number(FUZZ_SEED ?? 59) };
}

/**
 * @template Value
 * @param {Record<string, Value>} variants of a client, by name
 * @returns {[string, Value][]} those that are tested
 */
export const testedVariants = (variants) =>
  Object.entries(variants).filter(([name]) => NIGHTLY || name === 'default');
