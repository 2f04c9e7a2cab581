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
 */
export function suggestion(name, known) {
  if (known.length === 0) return '';
  const nearest = closest(name, known);
  const near = distance(name, nearest) <= Math.max(2, nearest.length / 3) || nearest.startsWith(name);
  return near ? `, did you mean '${nearest}'?` : '';
}

/**
 * @param {string} name `redis` or `redis:tuned`
 * @param {Map<string, import('../types.js').ClientPlugin>} clients
 * @returns {{client: string, variant: string}}
 * @throws {UsageError}
 */
export function parseClient(name, clients) {
  const [id, variant = 'default'] = name.split(':');
  const client = clients.get(knownName('client', id, clients.keys()));
  knownName(`variant of client '${id}'`, variant, Object.keys(client?.variants ?? {}));
  return { client: id, variant };
}
