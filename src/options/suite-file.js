import { extname } from 'node:path';
import { messageOf, UsageError } from '../errors.js';
import { importApart } from '../import-apart.js';
import { parseJson } from '../parse-json.js';
import { readBounded } from '../read-file.js';

/** @param {unknown} value @returns {boolean} whether it names a file of code */
const namesFile = (value) => /\.[cm]?js(?:[:@,]|$)|@path:/.test([value].flat().join());

/** Options of a suite that start programs, or load code. */
const RUNS_PROGRAMS = {
  serverBin: () => true,
  server: () => true,
  serverConfig: (/** @type {unknown} */ value) => /loadmodule/i.test(JSON.stringify(value)),
  nodeBin: () => true,
  clients: namesFile,
  scenarios: namesFile,
  workload: namesFile,
  pipelining: namesFile,
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
  if (isData) refusePrograms(suite, file, given);
  return suite;
}

/**
 * @param {any} suite
 * @param {string} file
 * @param {Record<string, unknown>} given
 * @throws {UsageError} if data names programs to run
 */
function refusePrograms(suite, file, given) {
  for (const [name, runs] of Object.entries(RUNS_PROGRAMS)) {
    const value = suite?.options?.[name];
    if (value === undefined || given[name] !== undefined || !runs(value)) continue;
    throw new UsageError(
      `--suite ${file}: a suite in JSON is data and may not choose what is run, but it sets '${name}'; ` +
        'give it on the command line, or write the suite as .js',
    );
  }
}
