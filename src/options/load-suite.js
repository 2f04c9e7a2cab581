import { basename, extname } from 'node:path';
import { loadPlugin, pluginIds } from '../plugins/registry.js';
import { knownName } from './plugin-names.js';
import { readSuite } from './suite.js';
import { readSuiteFile } from './suite-file.js';

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
 * @returns {Promise<SuitePlugin>}
 * @throws {UsageError} with everything that is wrong with it
 */
export async function loadSuite(given, table, { beside = {}, folders = {} } = {}) {
  const ids = /** @param {PluginKind} kind */ (kind) => pluginIds(kind, folders);
  const plugins = {
    clients: ids('clients'),
    scenarios: ids('scenarios'),
    pipelining: ids('pipelining'),
    workloads: ids('workloads'),
    suites: ids('suites'),
    formats: ids('formats'),
  };
  if (typeof given !== 'string') return readSuite(given, { name: 'suite', id: 'own' }, plugins, table);
  if (!IS_FILE.test(given)) {
    return loadPlugin('suites', knownName('suite', given, plugins.suites), folders);
  }
  const id = basename(given, extname(given))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const source = { name: `--suite ${given}`, id: id || 'own' };
  return readSuite(await readSuiteFile(given, beside), source, plugins, table);
}
