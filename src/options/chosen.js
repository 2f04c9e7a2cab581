import { parseChoice } from './names.js';

/**
 * @import { Catalogue, Chosen } from '../plugins/types.js'
 * @import { Settings } from './types.js'
 */

/**
 * What the names of workloads and pipelining modes mean.
 *
 *
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @returns {Record<'workload' | 'pipelining', Map<string, Chosen>>} by their names
 * @throws {UsageError} for a name that is none
 */
export function choicesOf({ workload, command, prepare, pipelining }, catalogue) {
  const workloads = command === undefined ? workload : [`command:${command}`];
  return {
    workload: new Map(
      workloads.map((name) => [name, parseChoice('workload', name, catalogue.workloads, { prepare })]),
    ),
    pipelining: new Map(
      pipelining.map((name) => [name, parseChoice('pipelining mode', name, catalogue.pipelining)]),
    ),
  };
}
