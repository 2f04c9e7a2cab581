import { ownValues } from './owners.js';
import { parseChoice } from './plugin-names.js';

/**
 * @import { Catalogue, Chosen, PluginKind } from '../plugins/types.js'
 * @import { Settings } from './types.js'
 */

/** What each operation does where something breaks: it is no plugin, because nothing else can take its place. */
const NUMBERED = { id: 'append', parameter: null, title: 'APPEND of numbers' };

/**
 * What the names of workloads and pipelining modes mean.
 *
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @returns {Record<'workload' | 'pipelining', Map<string, Chosen>>} by their names
 * @throws {UsageError} for an unknown name
 */
export function choicesOf({ workload, command, prepare, pipelining, fault, ...settings }, catalogue) {
  const workloads = command === undefined ? workload : [`command:${command}`];
  /** @param {PluginKind} kind @param {string} name */
  const own = (kind, name) => ownValues(catalogue[kind].get(name.split(':')[0])?.ownOptions, settings);
  return {
    workload: new Map(
      fault === undefined
        ? workloads.map((name) => [
            name,
            parseChoice('workload', name, catalogue.workloads, { prepare, ...own('workloads', name) }),
          ])
        : [[NUMBERED.id, NUMBERED]],
    ),
    pipelining: new Map(
      pipelining.map((name) => [
        name,
        parseChoice('pipelining mode', name, catalogue.pipelining, own('pipelining', name)),
      ]),
    ),
  };
}
