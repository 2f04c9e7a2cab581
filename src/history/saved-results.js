import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readLines } from '../core/store/read.js';
import { lineError } from '../core/store/shapes.js';

/** @import { ResultHeader } from '../core/store/types.js' */

/**
 * @typedef {{file: string, header: ResultHeader | null, runs: number, complete: boolean}} SavedResult `header`: null if the file
 *   is damaged; `runs`: failed ones included
 */

const SUFFIX = '.ndjson';

/** Newest first, as names begin with the time. @param {string} folder @returns {Promise<string[]>} paths */
export async function savedFiles(folder) {
  /** @type {string[]} */
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** Newest first. @param {string} folder @returns {Promise<SavedResult[]>} */
export async function listSaved(folder) {
  const saved = [];
  // Sequentially: as fast as in parallel, with less memory.
  for (const file of await savedFiles(folder)) {
    saved.push(await describe(file).catch(() => ({ file, header: null, runs: 0, complete: false })));
  }
  return saved;
}

/** @param {string} file @returns {Promise<SavedResult>} */
async function describe(file) {
  let header = null;
  let runs = 0;
  let complete = false;
  for await (const { text, whole } of readLines(file)) {
    header ??= headerOf(text);
    // The store always writes `type` first.
    if (whole && text.startsWith('{"type":"run"')) runs++;
    if (text.startsWith('{"type":"end"')) complete = whole && JSON.parse(text).partial === false;
  }
  return { file, header, runs, complete };
}

/** A full disk leaves empty or torn files. @param {string[]} files newest first @returns {Promise<string | undefined>} */
export async function latestSaved(files) {
  for (const file of files) if (await hasHeader(file).catch(() => false)) return file;
}

/** @param {string} file */
async function hasHeader(file) {
  for await (const { text, whole } of readLines(file)) return whole && headerOf(text) !== null;
  return false;
}

/** @param {string} text @returns {ResultHeader} */
function headerOf(text) {
  const line = JSON.parse(text);
  if (line?.type !== 'header' || lineError(line) !== null) throw new Error('no result');
  return line;
}
