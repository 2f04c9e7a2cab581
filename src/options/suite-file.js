import { extname } from 'node:path';
import { messageOf, UsageError } from '../errors.js';
import { importApart } from '../import-apart.js';
import { parseJson } from '../parse-json.js';
import { readBounded } from '../read-file.js';
import { profile } from './values.js';

/** @param {unknown} value @returns {boolean} whether it names a file of code */
const namesFile = (value) => /\.[cm]?js(?:[:@,]|$)|@path:/.test([value].flat().join());

/** @param {any} value @returns {boolean} whether it names a folder to write to */
const namesFolder = (value) => {
  try {
    return (profile(value)?.folder ?? null) !== null;
  } catch {
    // Whoever reads it says what is wrong with it.
    return false;
  }
};

/** Options of a suite that start programs, load code, or write files. */
const NOT_FOR_DATA = {
  serverBin: () => true,
  server: () => true,
  serverConfig: (/** @type {unknown} */ value) => /loadmodule/i.test(JSON.stringify(value)),
  nodeBin: () => true,
  clients: namesFile,
  scenarios: namesFile,
  workload: namesFile,
  pipelining: namesFile,
  profile: namesFolder,
};

/**
 * Reads a user's suite from a file: data (.json), or code with a default export.
 *
 * @param {string} file
 * @param {Record<string, unknown>} given options that replace those of the suite
 * @returns {Promise<unknown>}
 * @throws {UsageError}
 */
export async function readSuiteFile(file, given) {
  const isData = extname(file) === '.json';
  let suite;
  try {
    suite = isData ? parseJson(`${await readBounded(file)}`) : await importApart(file);
  } catch (error) {
    throw new UsageError(`--suite ${file}: it cannot be loaded: ${messageOf(error)}`);
  }
  if (isData) refusePowers(suite, file, given);
  return suite;
}

/**
 * @param {any} suite
 * @param {string} file
 * @param {Record<string, unknown>} given
 * @throws {UsageError} if data names programs to run, or places to write to
 */
function refusePowers(suite, file, given) {
  for (const [name, isRefused] of Object.entries(NOT_FOR_DATA)) {
    const value = suite?.options?.[name];
    if (value === undefined || given[name] !== undefined || !isRefused(value)) continue;
    throw new UsageError(
      `--suite ${file}: a suite in JSON is data and may not choose what is run, or where files are written, but it sets '${name}'; ` +
        'give it on the command line, or write the suite as .js',
    );
  }
}
