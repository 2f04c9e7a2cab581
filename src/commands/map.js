import { readOption } from '../options/read-options.js';
import { benchmark } from './benchmark.js';

/** @import * as api from '../api.js' */
/** @import { OptionTable } from '../options/types.js' */
/** @import { SuiteOf } from './prepare.js' */

/** The default choices of a map. */
const CHOICES = {
  clients: ['redis:tuned', 'ioredis', 'redis'],
  scenarios: ['shared-connection', 'connection-per-task', 'pool', 'open-and-close'],
  poolSize: [3, 10],
  budgetMs: 300_000,
};
/** Fills up to two axes where the user gives fewer than two with several values. */
const CONDITIONS = { tasks: [1, 4, 16, 64, 256], rtt: ['0', '0.5ms', '2ms', '10ms'] };
const TWO = 2;

/** @type {typeof api.map} */
export const map = (given = {}, hooks = {}) => benchmark(given, hooks, suiteOf);

/** @type {SuiteOf} */
const suiteOf = (options, table) => ({
  id: 'map',
  title: 'Where which choice wins',
  summary: 'the fastest choice under each of several conditions',
  options: { ...CHOICES, ...conditionsBeside(options, table) },
});

/** @param {Record<string, unknown>} given @param {OptionTable} table @returns {Record<string, unknown>} */
function conditionsBeside(given, table) {
  const several = Object.entries(table).filter(
    ([name, spec]) =>
      spec.isCondition && given[name] !== undefined && readOption(spec, given[name]).length > 1,
  );
  const missing = Object.entries(CONDITIONS).filter(([name]) => given[name] === undefined);
  return Object.fromEntries(missing.slice(0, Math.max(0, TWO - several.length)));
}
