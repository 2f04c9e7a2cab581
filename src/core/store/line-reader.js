import { createReadStream } from 'node:fs';
import { Refusal } from '../errors.js';
import { createLineSplitter } from '../read-file.js';

/** The longest lines are about 2 MB: a run of 100,000 tasks, or a header of a thousand cells. */
export const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
/** About 200,000 runs. A report keeps them all in memory, in about as many bytes as the file has. */
export const LARGEST_FILE_BYTES = 512 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/** @param {string} found @param {number} [largestBytes] */
export const refusedForSize = (found, largestBytes = LARGEST_FILE_BYTES) =>
  new Refusal(`is too large to be one report (${found}; at most ${megabytes(largestBytes)})`);

/** `whole`: with its line feed. @param {string} file @returns {AsyncGenerator<{text: string, whole: boolean}>} */
export async function* readLines(file) {
  /** @type {{text: string, whole: boolean}[]} */
  let lines = [];
  const splitter = createLineSplitter(LONGEST_LINE_BYTES, {
    onLine: (line, whole) => void lines.push({ text: line.toString(), whole }),
    onTooLong() {
      throw refusedForSize(`a line of more than ${megabytes(LONGEST_LINE_BYTES)}`);
    },
  });
  let read = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    read += chunk.length;
    if (read > LARGEST_FILE_BYTES) throw refusedForSize(`more than ${megabytes(LARGEST_FILE_BYTES)}`);
    splitter.take(chunk);
    yield* lines;
    lines = [];
  }
  splitter.end();
  yield* lines;
}

/** @param {number} bytes */
const megabytes = (bytes) => `${bytes / 1024 / 1024} MB`;
