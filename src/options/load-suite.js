import { basename, extname } from 'node:path';
import { loadPlugin, pluginIds } from '../plugins/registry.js';
import { knownName } from './names.js';
import { readSuite } from './suite.js';
import { readSuiteFile } from './suite-file.js';

/** @import { SuitePlugin } from '../plugins/types.js' */

/** A file, not the name of a suite that comes with the tool. */
const IS_FILE = /[\\/]|\.(?:json|[cm]?js)$/;

/**
 * @param {unknown} given the name of a ready suite, a user's own file (.js with a default export, or
 *   .json), or the suite itself
 * @param {Record<string, unknown>} [options] given beside it, which replace its own
 * @returns {Promise<SuitePlugin>}
 * @throws {UsageError} with everything that is wrong with it
 */
export async function loadSuite(given, options = {}) {
  if (typeof given !== 'string') return read(given, 'suite', 'own');
  if (!IS_FILE.test(given)) return loadPlugin('suites', knownName('suite', given, pluginIds('suites')));
  const id = basename(given, extname(given))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return read(await readSuiteFile(given, options), `--suite ${given}`, id || 'own');
}

/**
 * @param {unknown} suite
 * @param {string} name
 * @param {string} id
 */
const read = (suite, name, id) =>
  readSuite(
    suite,
    { name, id },
    {
      clients: pluginIds('clients'),
      scenarios: pluginIds('scenarios'),
      pipelining: pluginIds('pipelining'),
      workloads: pluginIds('workloads'),
      suites: pluginIds('suites'),
      formats: pluginIds('formats'),
    },
  );
