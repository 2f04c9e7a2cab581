import { attempt, naming } from '../core/errors.js';
import { ownFileOf } from '../core/plugins/own-file.js';
import { OPTIONS } from './option-table.js';
import { flagOf, readOption } from './read-options.js';

/** @import { PluginFolders } from '../core/plugins/types.js' */
/** @import { OptionTable } from './types.js' */

/**
 * `./our-redis.js:fast` becomes `our-redis:fast`, and the file one more place where plugins are found.
 * @param {Record<string, unknown>} given text or values
 * @param {OptionTable} table @param {PluginFolders} folders those known so far
 * @returns {{options: Record<string, unknown>, folders: PluginFolders}}
 * @throws {UsageError} that names the option, where there is no such file
 */
export function takeOwnFiles(given, table, folders) {
  const options = { ...given };
  let places = folders;
  for (const [name, spec] of Object.entries(table)) {
    const kind = spec.plugins;
    if (kind === undefined || given[name] === undefined) continue;
    // A wrong value is reported when it is read.
    const names = /** @type {string[]} */ (attempt(() => readOption(spec, given[name]), []));
    const found = names.map((each) => naming(flagOf(spec), () => ownFileOf(each)));
    const files = found.flatMap((own) => own?.file ?? []);
    if (files.length === 0) continue;
    options[name] = found.map((own, index) => (own === null ? names[index] : `${own.id}${own.rest}`));
    places = { ...places, [kind]: [...new Set([...(places[kind] ?? []), ...files])] };
  }
  return { options, folders: places };
}

/**
 * The folders of files that options name, as in `clients: './our-redis.js'`.
 * @param {Record<string, unknown>} given @param {PluginFolders} [folders] @throws {UsageError} if one is missing
 */
export const findPluginFiles = (given, folders = {}) => takeOwnFiles(given, OPTIONS, folders).folders;
