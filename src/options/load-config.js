import { messageOf, UsageError } from '../errors.js';
import { parseJson } from '../parse-json.js';
import { readBounded } from '../read-file.js';
import { readClientOptions } from './client-options.js';

/** @import { ClientPlugin } from '../plugins/types.js' */

/**
 * @param {unknown} given a JSON file, or its contents
 * @param {string[]} measured the ids of the clients that will be measured
 * @param {Map<string, ClientPlugin>} clients
 * @throws {UsageError} if it is missing, is not JSON, or names an option that no client knows
 */
export async function loadConfig(given, measured, clients) {
  if (given === undefined) return { options: {}, warnings: [] };
  const [source, config] =
    typeof given === 'string' ? [`--config ${given}`, await parse(given)] : ['config', given];
  return readClientOptions(config, source, measured, clients);
}

/** @param {string} file */
async function parse(file) {
  const text = await readBounded(file).catch((error) => {
    throw new UsageError(`--config ${file}: expected a file that can be read: ${messageOf(error)}`);
  });
  try {
    return parseJson(`${text}`, withoutPrototype);
  } catch (error) {
    throw new UsageError(`--config ${file}: ${messageOf(error)}`);
  }
}

/**
 * Merged into a client's options, such a key would change the prototype of all objects.
 *
 * @param {string} name
 * @param {unknown} value
 */
function withoutPrototype(name, value) {
  if (name === '__proto__') throw new Error("the key '__proto__' is no option");
  return value;
}
