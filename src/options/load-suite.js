import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UsageError } from '../errors.js';
import { loadPlugin, pluginIds } from '../plugins/registry.js';
import { knownName } from './names.js';
import { readSuite } from './suite.js';

/** @import { SuitePlugin } from '../plugins/types.js' */

/** How a file is told from the name of a suite that comes with the tool. */
const IS_FILE = /[\\/]|\.(?:json|[cm]?js)$/;

/**
 * @param {unknown} given the name of a ready suite, a user's own file (.js with a default export, or
 *   .json), or the suite itself
 * @returns {Promise<SuitePlugin>}
 * @throws {UsageError} with everything that is wrong with it
 */
export async function loadSuite(given) {
  if (typeof given !== 'string') return read(given, 'suite', 'own');
  if (!IS_FILE.test(given)) return loadPlugin('suites', knownName('suite', given, pluginIds('suites')));
  const id = basename(given, extname(given))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return read(await contentOf(given), `--suite ${given}`, id || 'own');
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

/** @param {string} file */
async function contentOf(file) {
  try {
    if (extname(file) === '.json') return JSON.parse(await readFile(file, 'utf8'));
    const module = await import(pathToFileURL(resolve(file)).href);
    return module.default;
  } catch (error) {
    throw new UsageError(`--suite ${file}: it cannot be loaded: ${messageOf(error)}`);
  }
}
