import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import { createChecks, text, whole } from '../../contract/check.js';
import { Refusal, refusedFile } from '../../errors.js';
import { chunksOf, jsonIn, linesOf, withoutMark } from '../../process/read-file.js';
import {
  commandOf,
  LONGEST_LINE_BYTES,
  MOST_ARGUMENTS,
  MOST_BYTES,
  MOST_COMMANDS,
  MOST_CONNECTIONS,
  MOST_KEYS,
  MOST_PROFILE_BYTES,
  MOST_US,
  PROFILE_VERSION,
} from './format.js';

/** @import { EndLine, ProfileHeader, ProfileLine } from './types.js' */

/** Connections that are opened and closed have lines too. */
const MOST_LINES = 3 * MOST_COMMANDS;
/** The largest takes two to three minutes. */
const MOST_MINUTES = 10;
const MAGIC_OF_GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Reads a profile line by line, gzipped or not; one that was cut off up to its last whole line.
 * @param {string} file @param {(line: ProfileLine) => void} onLine gets each line after the header
 * @param {{mostBytes?: number, mostMinutes?: number}} [bounds] `mostBytes`: not compressed
 * @returns {Promise<{header: ProfileHeader, end: EndLine | null, torn: boolean}>} `end`: null where it was cut off
 * @throws {UsageError} with the number of the line
 */
export async function readProfile(file, onLine, bounds) {
  /** @type {ProfileHeader | undefined} */
  let header;
  /** @type {EndLine | null} */
  let end = null;
  let torn = false;
  let number = 0;
  let commands = 0;

  /** @param {string} text @param {boolean} whole whether a line feed ends it */
  function take(text, whole) {
    number++;
    const line = jsonIn(header === undefined ? withoutMark(text) : text);
    if (header === undefined) {
      header = checkedHeader(line);
      return;
    }
    const wrong = line === undefined ? 'it is not JSON' : profileLineError(line);
    if (!whole && wrong !== null) {
      torn = true;
      return;
    }
    if (end !== null) throw new Refusal(`goes on after its end, in line ${number}`);
    if (number > MOST_LINES) throw new Refusal(`has more than ${MOST_LINES} lines`);
    if (wrong !== null) throw new Refusal(`is damaged: line ${number}: ${wrong}`);
    if (line.type === 'profile') throw new Refusal(`has a second header in line ${number}`);
    if (line.type === 'end') end = line;
    if (!Array.isArray(line)) onLine(line);
    else if (++commands > MOST_COMMANDS) throw new Refusal(`has more than ${MOST_COMMANDS} commands`);
    else onLine(commandOf(line));
  }

  try {
    await readWholeLines(file, take, bounds);
    if (header === undefined) throw new Refusal('is empty');
    return { header, end, torn };
  } catch (error) {
    throw refusedFile(error, `expected a profile of this tool, but '${file}'`);
  }
}

/** @param {any} line @returns {ProfileHeader} */
function checkedHeader(line) {
  if (line?.type !== 'profile') throw new Refusal("does not begin with a profile's header");
  const { profileVersion } = line;
  if (typeof profileVersion === 'number' && profileVersion !== PROFILE_VERSION) {
    const advice = profileVersion > PROFILE_VERSION ? 'update redis-pipe-bench' : 'record again';
    throw new Refusal(
      `has profileVersion ${profileVersion}, and this release knows ${PROFILE_VERSION}; ${advice}`,
    );
  }
  const wrong = profileLineError(line);
  if (wrong !== null) throw new Refusal(`is damaged: line 1: ${wrong}`);
  return line;
}

/**
 * @param {string} file @param {(text: string, whole: boolean) => void} onText
 * @param {Parameters<typeof readProfile>[2]} bounds
 */
async function readWholeLines(file, onText, bounds) {
  const tooLong = () => new Refusal(`has a line of more than ${LONGEST_LINE_BYTES} bytes`);
  /** @param {AsyncIterable<Buffer>} chunks */
  async function takeLines(chunks) {
    for await (const lines of linesOf(bounded(chunks, bounds), LONGEST_LINE_BYTES, tooLong))
      for (const { text, whole } of lines) onText(text, whole);
  }
  const source = chunksOf(file, { largestBytes: Number.POSITIVE_INFINITY });
  const { value: first = Buffer.alloc(0) } = await source.next();
  const whole = rejoined(first, source);
  if (!first.subarray(0, MAGIC_OF_GZIP.length).equals(MAGIC_OF_GZIP)) return takeLines(whole);
  // Reads a cut-off file to its end, without an error.
  return pipeline(whole, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), takeLines);
}

/**
 * A gzipped file of a megabyte may hold a gigabyte of lines.
 * @param {AsyncIterable<Buffer>} chunks @param {Parameters<typeof readProfile>[2]} [bounds]
 */
async function* bounded(chunks, { mostBytes = MOST_PROFILE_BYTES, mostMinutes = MOST_MINUTES } = {}) {
  const endMs = performance.now() + mostMinutes * 60_000;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new Refusal(
        `holds more than ${mostBytes / 1e6} MB when it is not compressed; record for a shorter time`,
      );
    if (performance.now() > endMs)
      throw new Refusal(`takes more than ${mostMinutes} minutes to read; record for a shorter time`);
    yield chunk;
  }
}

/** @param {Buffer} first @param {AsyncGenerator<Buffer>} rest */
async function* rejoined(first, rest) {
  yield first;
  yield* rest;
}

/** Words of the language of check.js. */
export const KINDS = {
  us: whole(0, MOST_US),
  connection: whole(1, MOST_CONNECTIONS),
  commands: whole(0, MOST_COMMANDS),
  inFlight: whole(1, MOST_COMMANDS),
  bytes: whole(0, MOST_BYTES),
  knownVersion: whole(PROFILE_VERSION, PROFILE_VERSION),
  release: text(/^\d+\.\d+\.\d+[-+.a-z0-9]{0,30}$/),
  command: text(/^[A-Z][A-Z.]{0,30}[A-Z0-9_-]{0,10}( [A-Z-]{1,24})?$/),
  key: whole(0, MOST_KEYS - 1),
  sizeOrScore: whole(-64, MOST_BYTES),
  word: text(/^([A-Z]{1,20}|-?\d{1,10}|[-+*$>~=]|[-+]INF|0-0)$/),
  plainType: text(/^[+:$_#,(=]$/),
  aggregateType: text(/^[*%~]$/),
  errorWord: text(/^[A-Z]{1,20}$/),
};

export const SHAPES = /** @type {const} */ ({
  /** The first line. */
  profile: {
    type: "'profile'",
    profileVersion: 'knownVersion',
    tool: { name: "'redis-pipe-bench'", version: 'release', '*': 'never' },
    startedAt: 'time',
    '*': 'never',
  },
  /** Connections are numbered from 1. */
  open: { type: "'open'", atUs: 'us', connection: 'connection', '*': 'never' },
  /**
   * Also written for open connections when the recording ends. Pushes are what the server sends unasked, unparsed bytes
   * came after something that could not be parsed.
   */
  close: {
    type: "'close'",
    atUs: 'us',
    connection: 'connection',
    'pushes, pushBytes, unparsedBytes': 'count',
    '*': 'never',
  },
  /** The last line, unless the profile was cut off. Dropped are commands for which the disk was too slow. */
  end: {
    type: "'end'",
    atUs: 'us',
    reason: "'time'|'interrupted'|'full'|'most'",
    commands: 'commands',
    dropped: 'count',
    keysShared: 'flag',
    '*': 'never',
  },
  Key: ['key', 'bytes'],
  Plain: ['plainType', 'count'],
  Aggregate: ['aggregateType', 'count', 'bytes', 'bytes'],
  Error: ["'-'", 'errorWord'],
  /** The number and the bytes of further arguments. */
  Rest: ['bytes', 'count'],
});

const check = createChecks(() => ({ ...KINDS, ...SHAPES }));
const LINES = new Map(['profile', 'open', 'close', 'end'].map((type) => [type, check(type)]));
const commandError = check([
  ...['us', 'connection', 'command'],
  ['Key|sizeOrScore|word', MOST_ARGUMENTS],
  ...['Plain|Aggregate|Error?', 'us?', 'inFlight', 'inFlight', 'Rest'],
  8,
]);

/** @param {any} line of a profile @returns {string | null} its error */
export function profileLineError(line) {
  if (Array.isArray(line)) return commandError(line);
  const lineError = LINES.get(line?.type);
  return lineError
    ? lineError(line)
    : `expected a line of type ${[...LINES.keys()].join(', ')}, or a command`;
}
