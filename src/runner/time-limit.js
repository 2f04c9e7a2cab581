import { RunError } from '../errors.js';
import { within } from '../server/within.js';

/**
 * @template T
 * @param {number} limitMs
 * @param {Promise<T>} run
 * @param {string} [option] that sets the limit
 * @returns {Promise<T>}
 * @throws {RunError} when it has taken longer
 */
export const withTimeLimit = (limitMs, run, option) =>
  within(limitMs, run).catch((error) => {
    if (error.code !== 'SILENT') throw error;
    throw new RunError(`the run had not ended after ${limitMs / 1000} s${option ? ` (${option})` : ''}`);
  });
