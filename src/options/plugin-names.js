import { closest, distance } from 'fastest-levenshtein';
import { UsageError } from '../errors.js';

/**
 * @import { AskedClient } from '../plan/types.js'
 * @import { Chosen, ClientPlugin } from '../plugins/types.js'
 */

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
  const holds = name.length > 2 ? known.filter((each) => each.includes(name)) : [];
  const longer = holds.find((each) => each.startsWith(name)) ?? holds[0];
  const nearest = longer ?? closest(name, known);
  const near = longer !== undefined || distance(name, nearest) <= Math.max(2, nearest.length / 3);
  return near ? ` (did you mean '${nearest}'?)` : '';
}

/** `client@release:variant`; a release that is a path has a colon of its own. */
const CLIENT = /^(?<id>[^@:]*)(?:@(?<wanted>(?:path:)?[^:]*))?(?::(?<variant>.*))?$/;
/**
 * A version, a range or a tag as npm understands it, but nothing that npm would take for a path or an option.
 */
const RELEASE = /^(?:path:.+|[\w.*^~<>=|][\w.*^~<>=|+ -]*)$/;

/**
 * @param {string} name `redis`, `redis:tuned`, `redis@5.8:tuned` or `redis@path:../fork`
 * @param {Map<string, ClientPlugin>} clients
 * @returns {AskedClient}
 * @throws {UsageError}
 */
export function parseClient(name, clients) {
  const { id = name, wanted = null, variant = 'default' } = CLIENT.exec(name)?.groups ?? {};
  const client = clients.get(knownName('client', id, clients.keys()));
  if (wanted !== null && !RELEASE.test(wanted)) {
    throw new UsageError(
      `'${name}': expected a release after the @, such as ${id}@5, ${id}@5.8.3, ${id}@latest or ${id}@path:../folder`,
    );
  }
  knownName(`${id} variant`, variant, Object.keys(client?.variants ?? {}));
  return { client: id, variant, wanted };
}

/**
 * Reads a name with an argument: `explicit:10`, `mix:get=80,set=20`.
 *
 * @param {string} what for the message: "workload", "pipelining mode"
 * @param {string} name
 * @param {Map<string, {syntax?: string, parse?: (argument: string | undefined, options: any) => unknown,
 *   titleOf?: (parameter: any) => string}>} plugins
 * @param {object} [options] handed on to the plugin
 * @returns {Chosen}
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
    const parameter = plugin.parse(argument, options);
    return { id, parameter, ...(plugin.titleOf && { title: plugin.titleOf(parameter) }) };
  } catch (error) {
    throw new UsageError(`${what} '${name}': ${/** @type {Error} */ (error).message}`);
  }
}
