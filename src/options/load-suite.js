import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { UsageError } from '../errors.js';
import { loadPlugin, loadToPlan, pluginIds } from '../plugins/registry.js';
import { loadOptions } from './all-options.js';
import { takeOwnFiles } from './own-files.js';
import { idOfName, knownName } from './plugin-names.js';
import { readOption } from './read-options.js';
import { readSuite } from './suite.js';
import { readSuiteFile } from './suite-file.js';
import { isObject } from './values.js';

/**
 * @import { PluginFolders, PluginKind, SuitePlugin } from '../plugins/types.js'
 * @import { OptionTable } from './types.js'
 */

/** A file, as opposed to the name of a ready suite. */
const IS_FILE = /[\\/]|\.(?:json|[cm]?js)$/;

/**
 * @param {unknown} given the name of a ready suite, a user's own file (.js with a default export, or
 *   .json), or the suite itself
 * @param {OptionTable} table every option that there is
 * @param {object} [more]
 * @param {Record<string, unknown>} [more.beside] options given with it, which replace its own
 * @param {PluginFolders} [more.folders] those with plugins besides the tool's own
 * @returns {Promise<SuitePlugin & {folders: PluginFolders}>} with its own files among the folders
 * @throws {UsageError} with everything that is wrong with it
 */
export async function loadSuite(given, table, { beside = {}, folders = {} } = {}) {
  if (typeof given === 'string' && !IS_FILE.test(given)) {
    const id = knownName('suite', given, pluginIds('suites', folders));
    return { ...(await loadPlugin('suites', id, folders)), folders };
  }
  if (typeof given !== 'string') return readOwn(given, { name: 'suite', id: 'own' }, table, folders);
  const id = basename(given, extname(given))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const source = { name: `--suite ${given}`, id: id || 'own', base: dirname(given) };
  return readOwn(await readSuiteFile(given, beside), source, table, folders);
}

/**
 * @param {any} given
 * @param {{name: string, id: string, base?: string}} source `base`: the folder that its paths are relative to
 * @param {OptionTable} table
 * @param {PluginFolders} folders
 */
async function readOwn(given, source, table, folders) {
  const taken = takeFiles(given, source, table, folders);
  /** @param {PluginKind} kind */
  const ids = (kind) => pluginIds(kind, taken.folders);
  const plugins = {
    clients: ids('clients'),
    scenarios: ids('scenarios'),
    pipelining: ids('pipelining'),
    workloads: ids('workloads'),
    suites: ids('suites'),
    formats: ids('formats'),
  };
  const options = taken.folders === folders ? table : await loadOptions(taken.folders);
  const suite = readSuite(taken.given, source, plugins, options);
  return {
    ...suite,
    options: await withPlaces(suite.options, source, options, taken.folders),
    folders: taken.folders,
  };
}

/**
 * @param {SuitePlugin['options']} given already checked
 * @param {{base?: string}} source
 * @param {OptionTable} table
 * @param {PluginFolders} folders
 * @returns {Promise<SuitePlugin['options']>} with the files that workloads take, `profile:traffic.ndjson`, found from the suite
 */
async function withPlaces(given, { base }, table, folders) {
  if (given.workload === undefined || base === undefined) return given;
  const names = /** @type {string[]} */ (readOption(table.workload, given.workload));
  const placed = names.map(async (name) => {
    const id = idOfName(name);
    const file = name.slice(id.length + 1);
    if (file === '' || isAbsolute(file)) return name;
    const { takesFile = false } = await loadToPlan('workloads', id, folders);
    return takesFile ? `${id}:${join(base, file)}` : name;
  });
  return { ...given, workload: await Promise.all(placed) };
}

/**
 * @param {any} given
 * @param {{name: string, base?: string}} source
 * @param {OptionTable} table
 * @param {PluginFolders} folders
 */
function takeFiles(given, { name, base }, table, folders) {
  if (!isObject(given) || !isObject(given.options)) return { given, folders };
  try {
    const { options, folders: places } = takeOwnFiles(given.options, table, folders, base);
    return { given: { ...given, options }, folders: places };
  } catch (error) {
    throw new UsageError(`${name}: ${/** @type {Error} */ (error).message}`);
  }
}
