import { median } from 'simple-statistics';
import { count } from '../../axes/number-words.js';

/** @import { Report } from '../../results/types.js' */

/**
 * Where the load came from, and how nearly together it started.
 *
 * @param {Pick<Report, 'agents' | 'cells'>} report
 * @returns {string[]} none where it came from this machine
 */
export function agentTexts({ agents = [], cells }) {
  if (agents.length === 0) return [];
  const skews = cells.flatMap(({ runs }) =>
    runs.flatMap(({ machines = [], startSkewMs = 0 }) => (machines.length > 1 ? [startSkewMs] : [])),
  );
  const apart =
    skews.length === 0
      ? ''
      : `, started ${ms(median(skews))} apart (median of ${count(skews.length, 'run')}; ${ms(Math.max(...skews))} at most)`;
  return [`load from ${count(agents.length, 'agent')} (${namesOf(agents.map(({ name }) => name))})${apart}`];
}

/** @param {string[]} names */
const namesOf = (names) =>
  names.length <= 4 ? names.join(', ') : `${names[0]} … ${names[names.length - 1]}`;

/** @param {number} value */
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
