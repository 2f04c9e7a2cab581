import { isDeepStrictEqual } from 'node:util';
import { flagOf } from '../options/read-options.js';

/** @import { OptionTable, Settings } from '../options/types.js' */

/** The defaults of a benchmark of cold starts: a process with one connection. */
export const OF_COLD_STARTS = {
  clients: ['redis', 'ioredis'],
  scenarios: ['shared-connection'],
  tasks: [1],
  starts: 1,
  warmupRuns: 0,
};
/** What has no meaning where each operation is a process. */
const IGNORED =
  'agents budgetMs idle fault scenarios tasks processes pipelining rate rateSearch speed durationMs size keySize valueSize keys value ' +
  'starts warmupRuns untilStable appWork readFrom encode replies';

/** @param {unknown} workload @returns {boolean} whether there are only cold starts */
export const isCold = (workload) => [workload].flat().every((each) => each === 'cold-start');

/** @param {Record<string, any>} settings @param {OptionTable} options @returns {string | null} */
export function besideColdStarts(settings, options) {
  const { workload, profile } = settings;
  if (!workload.includes('cold-start')) return null;
  /** @type {Record<string, unknown>} */
  const own = OF_COLD_STARTS;
  const isIgnored = (/** @type {string} */ name) =>
    !isDeepStrictEqual(settings[name], own[name] ?? options[name].default);
  const ignored = profile?.cells === 'all' ? 'profile' : IGNORED.split(' ').find(isIgnored);
  const other = isCold(workload) ? ignored && flagOf(options[ignored]) : 'other workloads';
  return other === undefined
    ? null
    : `--workload: cold-start starts one process after another, each with one connection; use it alone, without ${other}`;
}
