import { isAbsolute, join } from 'node:path';
import { attempt, naming } from '../errors.js';
import { ownFileOf } from '../plugins/own-file.js';
import { OPTIONS } from './option-table.js';
import { flagOf, readOption } from './read-options.js';

/** @import * as api from '../api.js' */
/** @import { PluginFolders, PluginKind } from '../plugins/types.js' */
/** @import { OptionSpec, OptionTable } from './types.js' */

/**
 * Takes the user's own files out of options: `./our-redis.js:fast` becomes `our-redis:fast`, and the file one more
 * place where plugins are found.
 * @param {Record<string, unknown>} given text or values
 * @param {OptionTable} table @param {PluginFolders} folders those known so far
 * @param {string} [base] the folder that paths are relative to; the working directory by default
 * @returns {{options: Record<string, unknown>, folders: PluginFolders}}
 * @throws {UsageError} that names the option, where there is no such file
 */
export function takeOwnFiles(given, table, folders, base) {
  const options = { ...given };
  let places = folders;
  for (const [name, spec] of choosersIn(table)) {
    const found = namesIn(spec, given[name]).map((each) => ownFileIn(each, spec, base));
    if (found.every(({ file }) => file === null)) continue;
    options[name] = found.map(({ name }) => name);
    const files = found.flatMap(({ file }) => file ?? []);
    places = { ...places, [spec.plugins]: [...new Set([...(places[spec.plugins] ?? []), ...files])] };
  }
  return { options, folders: places };
}

/**
 * @param {OptionTable} table @returns {[string, OptionSpec & {plugins: PluginKind}][]} the options that choose plugins
 */
const choosersIn = (table) =>
  /** @type {[string, OptionSpec & {plugins: PluginKind}][]} */ (
    Object.entries(table).filter(([, { plugins }]) => plugins !== undefined)
  );

/** @param {OptionSpec} spec @param {unknown} value @returns {string[]} none where it is wrong: who reads it later says so */
const namesIn = (spec, value) => (value === undefined ? [] : attempt(() => readOption(spec, value), []));

/**
 * @param {string} name @param {OptionSpec} spec @param {string} [base]
 * @returns {{name: string, file: string | null}} null where it names a plugin of the tool
 */
function ownFileIn(name, spec, base) {
  const path = base === undefined || isAbsolute(name) ? name : join(base, name);
  const own = naming(flagOf(spec), () => ownFileOf(path));
  return own === null ? { name, file: null } : { name: `${own.id}${own.rest}`, file: own.file };
}

/** @type {typeof api.findPluginFiles} */
export const findPluginFiles = async (given, folders = {}) => takeOwnFiles(given, OPTIONS, folders).folders;
