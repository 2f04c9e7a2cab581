import { closest, distance } from 'fastest-levenshtein';
import { UsageError } from '../errors.js';

/**
 * @param {string} what for the message: "client", "scenario"
 * @param {string} name
 * @param {Iterable<string>} known
 * @returns {string} the name
 * @throws {UsageError} with the nearest known name where one is near
 */
export function knownName(what, name, known) {
  const names = [...known];
  if (names.includes(name)) return name;
  throw new UsageError(`unknown ${what} '${name}'${suggestion(name, names)}; there are ${names.join(', ')}`);
}

/**
 * @param {string} name
 * @param {string[]} known
 * @returns {string} ` (did you mean …?)` where one of the known names is near
 */
function suggestion(name, known) {
  const longer = known.find((each) => name.length > 2 && each.includes(name));
  const nearest = longer ?? closest(name, known);
  const near = longer !== undefined || distance(name, nearest) <= Math.max(2, nearest.length / 3);
  return near ? ` (did you mean '${nearest}'?)` : '';
}

/**
 * @param {string} name `redis` or `redis:tuned`
 * @param {Map<string, import('../types.js').ClientPlugin>} clients
 * @returns {{client: string, variant: string}}
 * @throws {UsageError}
 */
export function parseClient(name, clients) {
  const [id, ...rest] = name.split(':');
  const variant = rest.length === 0 ? 'default' : rest.join(':');
  const client = clients.get(knownName('client', id, clients.keys()));
  knownName(`${id} variant`, variant, Object.keys(client?.variants ?? {}));
  return { client: id, variant };
}

/**
 * What a name with an argument stands for: `explicit:10`, `mix:get=80,set=20`.
 *
 * @param {string} what for the message: "workload", "pipelining mode"
 * @param {string} name
 * @param {Map<string, {syntax?: string, parse?: (argument: string | undefined, options: any) => unknown}>} plugins
 * @param {object} [options] handed on to the plugin
 * @returns {import('../types.js').Chosen}
 * @throws {UsageError}
 */
export function parseChoice(what, name, plugins, options = {}) {
  const [, id, argument] = /** @type {RegExpExecArray} */ (/^([^:]*)(?::(.*))?$/s.exec(name));
  const plugin = plugins.get(knownName(what, id, plugins.keys()));
  if (!plugin?.parse) {
    if (argument === undefined) return { id, parameter: null };
    throw new UsageError(`${what} '${name}': expected just '${id}', which takes no argument`);
  }
  try {
    return { id, parameter: plugin.parse(argument, options) };
  } catch (error) {
    throw new UsageError(`${what} '${name}': ${/** @type {Error} */ (error).message}`);
  }
}
