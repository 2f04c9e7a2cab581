import { closest, distance } from 'fastest-levenshtein';
import { naming, UsageError } from '../errors.js';

/** @import { Catalogue, Chosen, OwnData, OwnOptions, PluginKind } from '../plugins/types.js' */
/** @import { Settings } from './types.js' */

/**
 * @param {string} what for the message: "client", "scenario"
 * @param {string} name @param {Iterable<string>} known @returns {string} the name
 * @throws {UsageError} with the nearest known name where one is near
 */
export function knownName(what, name, known) {
  const names = [...known];
  if (names.includes(name)) return name;
  throw new UsageError(`unknown ${what} '${name}'${suggestion(name, names)}; there are ${names.join(', ')}`);
}

/**
 * @param {string} name @param {string[]} known
 * @returns {string} ` (did you mean …?)` where one of the known names is near
 */
function suggestion(name, known) {
  const holds = name.length > 2 ? known.filter((each) => each.includes(name)) : [];
  const longer = holds.find((each) => each.startsWith(name)) ?? holds[0];
  const nearest = longer ?? known.find((each) => lettersOf(each) === lettersOf(name)) ?? closest(name, known);
  const near = longer !== undefined || distance(name, nearest) <= Math.max(2, nearest.length / 3);
  return near ? ` (did you mean '${nearest}'?)` : '';
}

/** Letters in the wrong order are the commonest slip. @param {string} name */
const lettersOf = (name) => [...name].sort().join('');

/** @param {string} name @returns {string} `redis` of `redis@5.8:tuned{RESP:2}`, `explicit` of `explicit:10` */
export const idOfName = (name) => name.split(/[:@{]/)[0];

/**
 * Reads a name with an argument: `explicit:10`, `mix:get=80,set=20`.
 * @param {string} what for the message: "workload", "pipelining mode" @param {string} name
 * @param {Map<string, {syntax?: string, parse?: (argument: string | undefined, options: any) => unknown,
 *   titleOf?: (parameter: any) => string, data?: (parameter: any) => OwnData}>} plugins
 * @param {object} [options] handed on to the plugin @returns {Chosen} @throws {UsageError}
 */
function parseChoice(what, name, plugins, options = {}) {
  const [, id, argument] = /** @type {RegExpExecArray} */ (/^([^:]*)(?::(.*))?$/s.exec(name));
  const plugin = plugins.get(knownName(what, id, plugins.keys()));
  if (!plugin?.parse) {
    if (argument === undefined) return { id, parameter: null, ...titled(plugin, null) };
    throw new UsageError(`${what} '${name}': expected just '${id}', which takes no argument`);
  }
  return naming(`${what} '${name}'`, () => {
    const parameter = plugin.parse?.(argument, options);
    return { id, parameter, ...titled(plugin, parameter) };
  });
}

/**
 * @param {{titleOf?: (parameter: any) => string, data?: (parameter: any) => OwnData, choiceOf?: (parameter: any) => string, sendsThrough?: string, startsProcesses?: boolean, account?: object} | undefined} plugin
 * @param {any} parameter @returns {Pick<Chosen, 'title' | 'choice' | 'data' | 'sendsThrough' | 'startsProcesses' | 'ownKeys'>}
 */
const titled = (plugin, parameter) => ({
  ...(plugin?.titleOf && { title: plugin.titleOf(parameter) }),
  ...(plugin?.choiceOf && { choice: plugin.choiceOf(parameter) }),
  ...(plugin?.data && { data: plugin.data(parameter) }),
  ...(plugin?.sendsThrough && { sendsThrough: plugin.sendsThrough }),
  ...(plugin?.startsProcesses && { startsProcesses: true }),
  ...(plugin?.account && { ownKeys: true }),
});

/**
 * @param {OwnOptions | undefined} ownOptions a plugin's
 * @param {Record<string, any>} settings @returns {Record<string, any>} the values of its own options
 */
export const ownValues = (ownOptions = {}, settings) =>
  Object.fromEntries(Object.keys(ownOptions).map((name) => [name, settings[name]]));

/**
 * What the names of workloads and pipelining modes mean.
 * @param {Settings} settings @param {Catalogue} catalogue
 * @returns {Record<'workload' | 'pipelining', Map<string, Chosen>>} by their names
 * @throws {UsageError} for an unknown name
 */
export function choicesOf({ workload, command, prepare, keysAt, pipelining, ...settings }, catalogue) {
  const workloads = command === undefined ? workload : [`command:${command.join(' ; ')}`];
  /** @param {PluginKind} kind @param {string} name */
  const own = (kind, name) => ownValues(catalogue[kind].get(name.split(':')[0])?.ownOptions, settings);
  return {
    workload: new Map(
      workloads.map((name) => [
        name,
        parseChoice('workload', name, catalogue.workloads, { prepare, keysAt, ...own('workloads', name) }),
      ]),
    ),
    pipelining: new Map(
      pipelining.map((name) => [
        name,
        parseChoice('pipelining mode', name, catalogue.pipelining, own('pipelining', name)),
      ]),
    ),
  };
}
