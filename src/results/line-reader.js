import { createReadStream } from 'node:fs';

/**
 * A line holds one run: with 100,000 tasks that is 2 MB. A cell's line, or the header with a thousand
 * cells, is about as long. What is longer comes from something else.
 */
export const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
/** A report holds all its runs: a result of this size (some 200,000 runs) takes about as much memory. */
export const LARGEST_FILE_BYTES = 512 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** A file that is larger than its reader can take. */
export class TooLargeError extends Error {}

/**
 * The lines of a file, one at a time, so that memory does not grow with the file.
 *
 * @param {string} file
 * @returns {AsyncGenerator<{text: string, whole: boolean}>} `whole` is false for a last line without its end
 * @throws {TooLargeError} for a file or a line beyond the limits
 */
export async function* readLines(file) {
  /** @type {Buffer[]} the beginning of a line that goes on in the next chunk */
  let begun = [];
  let begunBytes = 0;
  let read = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    read += chunk.length;
    if (read > LARGEST_FILE_BYTES) throw new TooLargeError(`more than ${megabytes(LARGEST_FILE_BYTES)}`);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      yield { text: (begun.length > 0 ? Buffer.concat([...begun, rest]) : rest).toString(), whole: true };
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > LONGEST_LINE_BYTES) {
      throw new TooLargeError(`a line of more than ${megabytes(LONGEST_LINE_BYTES)}`);
    }
  }
  if (begunBytes > 0) yield { text: Buffer.concat(begun).toString(), whole: false };
}

/** @param {number} bytes */
const megabytes = (bytes) => `${bytes / 1024 / 1024} MB`;
