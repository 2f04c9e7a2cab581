import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { messageWithPosition } from './errors.js';

/** A file may look something up while it loads. */
const LOADED_WITHIN_MS = 10_000;

/** A plugin's variants nest three levels. */
const MOST_LEVELS = 10;

const LOADER = `
  const { parentPort, workerData: { url, describes } } = require('node:worker_threads');
  const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value));
  function describe(value, levels = ${MOST_LEVELS}) {
    if (typeof value === 'function') return { is: 'function' };
    if (typeof value === 'symbol') return { is: 'other' };
    if (typeof value !== 'object' || value === null) return { is: 'value', value };
    if (levels === 0) return { is: 'other' };
    const all = (each) => Array.from(each, (one) => describe(one, levels - 1));
    if (Array.isArray(value)) return { is: 'list', value: all(value) };
    if (value instanceof Set) return { is: 'set', value: all(value) };
    if (!isPlain(value)) return { is: 'other' };
    return { is: 'object', value: Object.entries(value).map(([name, one]) => [name, describe(one, levels - 1)]) };
  }
  import(url)
    .then(({ default: own }) => parentPort.postMessage({ value: describes ? describe(own) : own }))
    .catch((error) => parentPort.postMessage({
      error: { name: error?.name, message: String(error?.message ?? error), stack: error?.stack },
    }));
`;

/**
 * Imports a user's file in a thread, where `process.exit` or an `await` that never settles ends only the thread, and
 * all that the file opens is closed again. @param {string} file @returns {Promise<any>} its default export, pure data
 */
export const importApart = (file) => importInThread(file, false);

/** The same for code: functions in the default export do nothing. @param {string} file @returns {Promise<any>} */
export const describeApart = async (file) => revived(await importInThread(file, true));

/** @param {string} file @param {boolean} describes whether functions are allowed */
async function importInThread(file, describes) {
  const path = resolve(file);
  if (!statSync(path).isFile()) throw new Error('it is not a regular file');
  const thread = new Worker(LOADER, {
    eval: true,
    workerData: { url: pathToFileURL(path).href, describes },
    // Its output would mix with the results.
    stdout: true,
    stderr: true,
  });
  const giveUp = new AbortController();
  const { signal } = giveUp;
  try {
    const [message] = await Promise.race([
      once(thread, 'message', { signal }),
      once(thread, 'exit', { signal }).then(() => {
        throw new Error(
          'it ended before it exported anything: an await never settled, or the process was asked to exit',
        );
      }),
      sleep(LOADED_WITHIN_MS, undefined, { signal }).then(() => {
        throw new Error(`it was not ready after ${LOADED_WITHIN_MS / 1000} s`);
      }),
    ]);
    if (message.error !== undefined) throw new Error(await placed(message.error, path));
    return message.value;
  } finally {
    giveUp.abort();
    await thread.terminate();
  }
}

/** @param {{name?: string, message: string, stack?: string}} error @param {string} path */
async function placed(error, path) {
  if (error.name !== 'SyntaxError') return messageWithPosition(error);
  // Only Node's own output has the line of a syntax error.
  const { stderr } = await promisify(execFile)(process.execPath, ['--check', path]).catch((failed) => failed);
  const [, line] = /^(?:\S+[\\/])?[^:\n]+:(\d+)$/m.exec(`${stderr ?? ''}`) ?? [];
  return line === undefined ? error.message : `${error.message} (${basename(path)}:${line})`;
}

/** @param {{is: string, value?: any}} described @returns {any} */
function revived({ is, value }) {
  if (is === 'function') return () => {};
  if (is === 'list') return value.map(revived);
  if (is === 'set') return new Set(value.map(revived));
  if (is === 'object') {
    return Object.fromEntries(
      value.map((/** @type {[string, any]} */ [name, each]) => [name, revived(each)]),
    );
  }
  return value;
}
