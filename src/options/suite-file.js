import { once } from 'node:events';
import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf, UsageError } from '../errors.js';
import { parseJson } from '../parse-json.js';
import { readBounded } from '../read-file.js';

/** A suite may look something up while it loads, but not for longer than this. */
const LOADED_WITHIN_MS = 10_000;

const LOADER = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData)
    .then((suite) => parentPort.postMessage({ suite: suite.default }))
    .catch((error) => parentPort.postMessage({ error: String(error?.message ?? error) }));
`;

/** Options of a suite that start programs, or load code. */
const RUNS_PROGRAMS = {
  serverBin: () => true,
  nodeBin: () => true,
  clients: (/** @type {unknown} */ value) => [value].flat().join().includes('@path:'),
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
 * Imports it in a thread, where `process.exit` ends only the thread, and an `await` that never settles does
 * not end the tool silently.
 *
 * @param {string} file
 */
async function importApart(file) {
  const path = resolve(file);
  if (!statSync(path).isFile()) throw new Error('it is not a regular file');
  const thread = new Worker(LOADER, { eval: true, workerData: pathToFileURL(path).href });
  const giveUp = new AbortController();
  const { signal } = giveUp;
  try {
    const [message] = await Promise.race([
      once(thread, 'message', { signal }),
      once(thread, 'exit', { signal }).then(() => {
        throw new Error(
          'it ended before it exported anything: an await never settled, or the process was told to exit',
        );
      }),
      sleep(LOADED_WITHIN_MS, undefined, { signal }).then(() => {
        throw new Error(`it was not ready after ${LOADED_WITHIN_MS / 1000} s`);
      }),
    ]);
    if (message.error !== undefined) throw new Error(message.error);
    return message.suite;
  } finally {
    giveUp.abort();
    await thread.terminate();
  }
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
