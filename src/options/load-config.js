import { messageOf, UsageError } from '../errors.js';
import { parseJson } from '../parse-json.js';
import { readBounded } from '../read-file.js';
import { readClientOptions, readVariants } from './client-options.js';

/** @import { ClientPlugin } from '../plugins/types.js' */

/**
 * What a configuration says of clients: the variants that it defines, before it is known which clients will be
 * measured, and then the options of these.
 *
 * @param {unknown} given a JSON file, or its contents
 * @param {Map<string, ClientPlugin>} clients
 * @throws {UsageError} if it is missing or is not JSON, or one of its variants is wrong
 */
export async function loadConfig(given, clients) {
  if (given === undefined) return { variants: {}, optionsOf: () => ({ options: {}, warnings: [] }) };
  const [source, config] =
    typeof given === 'string' ? [`--config ${given}`, await parse(given)] : ['config', given];
  return {
    variants: readVariants(config, source, clients),
    /** @param {string[]} measured the ids of the clients that will be measured */
    optionsOf: (measured) => readClientOptions(config, source, measured, clients),
  };
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
