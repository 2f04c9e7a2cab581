/**
 * Whether all variants, releases and transports are tested (`npm run test:all`), or of each client the default one
 * (`npm test`).
 */
export const NIGHTLY = process.env.TEST_ALL === '1';

/**
 * @template Value
 * @param {Record<string, Value>} variants of a client, by name
 * @returns {[string, Value][]} those that are tested
 */
export const testedVariants = (variants) =>
  Object.entries(variants).filter(([name]) => NIGHTLY || name === 'default');
