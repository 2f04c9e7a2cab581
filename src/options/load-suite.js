import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { messageOf, naming, UsageError } from '../errors.js';
import { importApart } from '../import-apart.js';
import { loadPlugin, loadToPlan, pluginIds } from '../plugins/registry.js';
import { parseJson, readBounded } from '../read-file.js';
import { loadOptions } from './all-options.js';
import { OPTIONS } from './option-table.js';
import { takeOwnFiles } from './own-files.js';
import { idOfName, knownName } from './plugin-names.js';
import { readOption } from './read-options.js';
import { readSuite } from './suite.js';
import { isObject } from './values.js';

/** @import { PluginFolders, SuitePlugin } from '../plugins/types.js' */
/** @import { OptionTable } from './types.js' */

/** As opposed to the name of a ready suite. */
const IS_FILE = /[\\/]|\.(?:json|[cm]?js)$/;

/**
 * @param {unknown} given the name of a ready suite, a user's file (.js with a default export, or .json), or the suite
 * @param {OptionTable} table @param {object} [more] @param {Record<string, unknown>} [more.given] options that replace its own
 * @param {PluginFolders} [more.folders] those with plugins besides the tool's own
 * @returns {Promise<SuitePlugin & {folders: PluginFolders, table: OptionTable}>} with its own files and their options added
 * @throws {UsageError} with everything that is wrong with it
 */
export async function loadSuite(given, table, { given: own = {}, folders = {} } = {}) {
  if (typeof given === 'string' && !IS_FILE.test(given)) {
    const id = knownName('suite', given, pluginIds('suites', folders));
    return { ...(await loadPlugin('suites', id, folders)), folders, table };
  }
  if (typeof given !== 'string') return readOwn(given, { name: 'suite', id: 'own' }, table, folders);
  const id = basename(given, extname(given))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const source = { name: `--suite ${given}`, id: id || 'own', base: dirname(given) };
  return readOwn(await readSuiteFile(given, own), source, table, folders);
}

/**
 * @param {any} given
 * @param {{name: string, id: string, base?: string}} source `base`: the folder that its paths are relative to
 * @param {OptionTable} table @param {PluginFolders} folders
 */
async function readOwn(given, source, table, folders) {
  const hasOptions = isObject(given?.options);
  const taken = naming(source.name, () =>
    takeOwnFiles(hasOptions ? given.options : {}, table, folders, source.base),
  );
  const options = taken.folders === folders ? table : await loadOptions(taken.folders);
  const own = hasOptions ? { ...given, options: taken.options } : given;
  const suite = readSuite(own, source, (kind) => pluginIds(kind, taken.folders), options);
  return {
    ...suite,
    options: await withPlaces(suite.options, source, options, taken.folders),
    folders: taken.folders,
    table: options,
  };
}

/**
 * @param {SuitePlugin['options']} given @param {{base?: string}} source @param {OptionTable} table
 * @param {PluginFolders} folders
 * @returns {Promise<SuitePlugin['options']>} with the files of workloads, `profile:traffic.ndjson`, found from the suite
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

/** @param {unknown} value @returns {boolean} whether it names a file of code */
const namesFile = (value) => /\.[cm]?js(?:[:@,]|$)|@path:/.test([value].flat().join());

/**
 * @param {string} file of data (.json), or code with a default export
 * @param {Record<string, unknown>} given options that replace those of the suite
 * @returns {Promise<unknown>} @throws {UsageError}
 */
async function readSuiteFile(file, given) {
  const isData = extname(file) === '.json';
  let suite;
  try {
    suite = isData ? parseJson(`${await readBounded(file)}`) : await importApart(file);
  } catch (error) {
    throw new UsageError(`--suite ${file}: it cannot be loaded: ${messageOf(error)}`);
  }
  const power = Object.entries(isData ? OPTIONS : {}).find(
    ([name, { plugins, hasPower = plugins && namesFile }]) => {
      const value = suite?.options?.[name];
      return value !== undefined && given[name] === undefined && hasPower?.(value);
    },
  );
  if (power === undefined) return suite;
  throw new UsageError(
    `--suite ${file}: a suite in JSON is data and may not choose what is run, or where files are written, but it sets '${power[0]}'; ` +
      'give it on the command line, or write the suite as .js',
  );
}
