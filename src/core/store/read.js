import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Refusal, refusedFile } from '../errors.js';
import { createLineSplitter, isTooDeep, jsonIn, readBounded, withoutMark } from '../read-file.js';
import { lineError, reportError, SCHEMA_VERSION } from './shapes.js';

/** @import { Ending, Report, ResultEnd, ResultHeader, ResultRecord, RunRecord } from './types.js' */

/** @typedef {{header: ResultHeader, records: ResultRecord[], ending: Ending}} Recorded */

/** The longest lines are about 2 MB: a run of 100,000 tasks, or a header of a thousand cells. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
/** About 200,000 runs. A report keeps them all in memory, in about as many bytes as the file has. */
const LARGEST_FILE_BYTES = 512 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/** @param {unknown} error @param {string} file */
export const refusedResult = (error, file) =>
  refusedFile(error, `expected a result of this tool, but '${file}'`);

/**
 * Separate from `readResult`, so that memory that only reading needs is free before the report is computed.
 * @param {string} file @param {{largestBytes?: number}} [bounds] @returns {Promise<Recorded>} @throws {UsageError}
 */
export async function readRecords(file, { largestBytes = LARGEST_FILE_BYTES } = {}) {
  try {
    const stats = await stat(file);
    const { size } = stats;
    if (stats.isDirectory()) throw new Refusal('is a folder');
    if (stats.isCharacterDevice() || stats.isBlockDevice()) throw new Refusal('is a device');
    if (size > largestBytes) throw refusedForSize(`${(size / 1024 / 1024).toFixed(0)} MB`, largestBytes);
    return (await fromLines(file)) ?? fromJson(`${await readBounded(file, largestBytes)}`);
  } catch (error) {
    throw refusedResult(error, file);
  }
}

/** @param {string} found @param {number} [largestBytes] */
const refusedForSize = (found, largestBytes = LARGEST_FILE_BYTES) =>
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

/** @param {string} file @returns {Promise<Recorded | null>} null if it does not start with the header of a result */
async function fromLines(file) {
  /** @type {ResultHeader | undefined} */
  let header;
  /** @type {ResultEnd | undefined} */
  let end;
  /** @type {ResultRecord[]} */
  const records = [];
  const checkOnce = createRunCheck();
  let number = 0;
  let torn = false;
  for await (const { text, whole } of readLines(file)) {
    number++;
    const line = jsonIn(number === 1 ? withoutMark(text) : text);
    if (header === undefined) {
      if (line?.type !== 'header') return null;
      header = checked(line, number);
    } else if (line === undefined && !whole) torn = true;
    else if (end !== undefined) throw new Refusal(`goes on after its end, in line ${number}`);
    else {
      const known = checked(line, number);
      if (known.type === 'header') throw new Refusal(`has a second header in line ${number}`);
      if (known.type === 'run') checkOnce(known, number);
      if (known.type === 'end') end = known;
      else records.push(known);
    }
  }
  if (header === undefined) throw new Refusal('is empty');
  return { header, records, ending: end ?? unfinished(header, records, torn) };
}

/** @param {any} line @param {number} number @returns {any} the line */
function checked(line, number) {
  if (line === undefined) throw new Refusal(`is damaged: line ${number} is not JSON`);
  if (line.type === 'header') checkVersion(line);
  if (isTooDeep(line)) throw new Refusal(`is damaged: line ${number} is nested too deeply`);
  const wrong = lineError(line);
  if (wrong !== null) throw new Refusal(`is damaged: line ${number}: ${wrong}`);
  return line;
}

/**
 * Rejects repeated runs, and shares equal texts between runs: cell names and warnings take 30 MB in 100,000 runs.
 * @returns {(record: RunRecord, number: number) => void} `number`: of the line
 */
function createRunCheck() {
  /** @type {Map<string, Set<string>>} by cell */
  const seen = new Map();
  const known = new Map();
  /** @template T @param {T} own @returns {T} the first equal value */
  function shared(own) {
    const key = JSON.stringify(own);
    if (!known.has(key)) known.set(key, own);
    return known.get(key);
  }
  return (record, number) => {
    record.cell = shared(record.cell);
    record.run.warnings = record.run.warnings.map(shared);
    if (record.run.warningFacts) record.run.warningFacts = record.run.warningFacts.map(shared);
    const runs = seen.get(record.cell) ?? new Set();
    seen.set(record.cell, runs);
    const run = `${record.run.round} ${record.at}`;
    if (runs.has(run)) throw new Refusal(`is damaged: line ${number} repeats a run`);
    runs.add(run);
  };
}

/** @param {any} facts of a header or a report */
function checkVersion({ schemaVersion: version, tool }) {
  if (version === SCHEMA_VERSION) return;
  if (typeof version === 'number' && version > SCHEMA_VERSION) {
    throw new Refusal(
      `has schemaVersion ${version}, and this release knows ${SCHEMA_VERSION}; it was written by a newer one: update redis-pipe-bench`,
    );
  }
  const release = /^\d[\w.-]{1,40}$/.test(tool?.version) ? ` of redis-pipe-bench ${tool.version}` : '';
  throw new Refusal(
    `has schemaVersion ${JSON.stringify(version)}${release}, and this release reads ${SCHEMA_VERSION} only; measure again, or read it with the release that wrote it`,
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

/** @param {string} text @returns {Recorded} */
function fromJson(text) {
  if (text.trim() === '') throw new Refusal('is empty');
  const report = jsonIn(withoutMark(text));
  if (report === undefined) {
    throw new Refusal('is neither the lines of a saved result nor a report in JSON, or is cut off');
  }
  if (report?.tool?.name !== 'redis-pipe-bench') throw new Refusal('was written by something else');
  checkVersion(report);
  if (isTooDeep(report)) throw new Refusal('is damaged: it is nested too deeply');
  const wrong = reportError(report);
  if (wrong !== null) throw new Refusal(`is damaged: ${wrong}`);
  const known = withoutWords(report);
  const { cells, distances = [] } = known;
  const ofDistances = distances.map((each) => ({ .../** @type {const} */ ({ type: 'distance' }), ...each }));
  const records = cells.flatMap(({ id, iterations, effectiveOptions, warm, profiles, runs }) => [
    {
      .../** @type {const} */ ({ type: 'cell', cell: id }),
      iterations,
      effectiveOptions,
      warm,
      profiles,
    },
    ...runs.map((run) => ({
      .../** @type {const} */ ({ type: 'run', cell: id }),
      at: report.finishedAt,
      run,
    })),
  ]);
  return { header: { ...known, type: 'header' }, records: [...ofDistances, ...records], ending: known };
}

/** Drops words, which are made of the facts again. @param {Report} report */
function withoutWords(report) {
  const cells = report.cells.map((cell) => ({
    ...cell,
    runs: cell.runs.map((run) => ({ ...run, warnings: [] })),
  }));
  return { ...report, cells, warnings: [] };
}
