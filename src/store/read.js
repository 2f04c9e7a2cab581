import { Refusal, refusedFile } from '../errors.js';
import { chunksOf, isTooDeep, jsonIn, linesOf, withoutMark } from '../process/read-file.js';
import { lineError, SCHEMA_VERSION } from './shapes.js';

/** @import { Bounds } from '../process/read-file.js' */
/** @import { Ending, ResultEnd, ResultHeader, ResultLine, ResultRecord } from './types.js' */

/** @typedef {{header: ResultHeader, records: ResultRecord[], ending: Ending}} Recorded */

/** The longest lines are about 2 MB: a run of 100,000 tasks, or a header of a thousand cells. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
/** About 200,000 runs. A report keeps them all in memory, in about as many bytes as the file has. */
const LARGEST_FILE_BYTES = 512 * 1024 * 1024;

const NO_HEADER =
  'does not begin with the header of a saved result, or is cut off; a benchmark saves one with --save FILE';

/** @param {unknown} error @param {string} file */
export const refusedResult = (error, file) =>
  refusedFile(error, `expected a result of this tool, but '${file}'`);

/**
 * Reads a saved result.
 * @param {string} file @param {Bounds} [bounds] by default it may be a pipe @returns {Promise<Recorded>} with a warning if the
 *   file is incomplete @throws {UsageError} if it cannot be read, or is not a result of this version
 */
export async function readRecords(file, bounds = { pipes: true }) {
  try {
    return await recordsIn(file, bounds);
  } catch (error) {
    throw refusedResult(error, file);
  }
}

/** `whole`: with its line feed. @param {string} file @param {Bounds} [bounds] @returns {AsyncGenerator<{text: string, whole: boolean}>} */
export async function* readLines(file, bounds) {
  const chunks = chunksOf(file, { largestBytes: LARGEST_FILE_BYTES, ...bounds });
  const tooLong = () => new Refusal(`has a line of more than ${LONGEST_LINE_BYTES / 1024 / 1024} MB`);
  for await (const lines of linesOf(chunks, LONGEST_LINE_BYTES, tooLong)) yield* lines;
}

/** @param {string} file @param {Bounds} bounds @returns {Promise<Recorded>} */
async function recordsIn(file, bounds) {
  /** @type {ResultHeader | undefined} */
  let header;
  /** @type {ResultEnd | undefined} */
  let end;
  /** @type {ResultRecord[]} */
  const records = [];
  const runs = new Set();
  let number = 0;
  let torn = false;
  for await (const { text, whole } of readLines(file, bounds)) {
    number++;
    const line = jsonIn(number === 1 ? withoutMark(text) : text);
    if (header === undefined) {
      if (line?.type !== 'header') throw new Refusal(NO_HEADER);
      const first = checked(line, number);
      if (first.type === 'header') header = first;
    } else if (line === undefined && !whole) torn = true;
    else if (end !== undefined) throw new Refusal(`goes on after its end, in line ${number}`);
    else {
      const known = checked(line, number);
      if (known.type === 'header') throw new Refusal(`has a second header in line ${number}`);
      if (known.type === 'run') {
        const run = JSON.stringify([known.cell, known.at, known.run.round]);
        if (runs.has(run)) throw new Refusal(`is damaged: line ${number} repeats a run`);
        runs.add(run);
      }
      if (known.type === 'end') end = known;
      else records.push(known);
    }
  }
  if (header === undefined) throw new Refusal('is empty');
  return { header, records, ending: end ?? unfinished(header, records, torn) };
}

/** @param {any} line @param {number} number @returns {ResultLine} */
function checked(line, number) {
  if (line === undefined) throw new Refusal(`is damaged: line ${number} is not JSON`);
  if (line?.type === 'header') checkVersion(line);
  if (isTooDeep(line)) throw new Refusal(`is damaged: line ${number} is nested too deeply`);
  const wrong = lineError(line);
  if (wrong !== null) throw new Refusal(`is damaged: line ${number}: ${wrong}`);
  return line;
}

/** @param {any} header */
function checkVersion({ schemaVersion: version, tool }) {
  if (version === SCHEMA_VERSION) return;
  if (Number.isInteger(version) && version > SCHEMA_VERSION) {
    throw new Refusal(
      `has schemaVersion ${version}, and this release knows ${SCHEMA_VERSION}; it was written by a newer one: update redis-pipe-bench`,
    );
  }
  const release = /^\d[\w.-]{1,40}$/.test(tool?.version) ? ` of redis-pipe-bench ${tool.version}` : '';
  throw new Refusal(
    `has ${version === undefined ? 'no schemaVersion' : `schemaVersion ${JSON.stringify(version)}`}${release}, and this release reads ${SCHEMA_VERSION} only; measure again, or read it with the release that wrote it`,
  );
}

/**
 * Replaces a missing end: the benchmark was killed, the disk was full, or it is still running.
 * @param {ResultHeader} header @param {ResultRecord[]} records @param {boolean} torn last line @returns {Ending}
 */
function unfinished({ startedAt }, records, torn) {
  const runs = records.filter((record) => record.type === 'run');
  return {
    finishedAt: runs.at(-1)?.at ?? startedAt,
    partial: true,
    failure: null,
    warningFacts: [{ kind: 'unfinished', torn, runs: runs.length }],
    warnings: [],
  };
}
