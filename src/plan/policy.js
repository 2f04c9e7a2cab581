/** @import { Settings } from '../options/types.js' */
/** @import { PolicyName } from './types.js' */

/**
 * What decides which cell is measured next, and when to stop.
 * @param {Pick<Settings, 'budgetMs' | 'rateSearch'>} settings @returns {PolicyName}
 */
export function policyOf({ budgetMs, rateSearch }) {
  if (budgetMs !== undefined) return 'map';
  return rateSearch === undefined ? 'rounds' : 'search';
}
