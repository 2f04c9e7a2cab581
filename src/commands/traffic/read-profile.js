import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import * as v from 'valibot';
import { Refusal, refusedFile } from '../../errors.js';
import { chunksOf, jsonIn, linesOf, withoutMark } from '../../process/read-file.js';
import { count, kind, list, textOf, time, whole, wrongIn } from '../../schema.js';
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

/** @import { GenericSchema } from 'valibot' */
/** @import { CloseLine, EndLine, OpenLine, ProfileHeader, ProfileLine } from './types.js' */

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

const US = whole(0, MOST_US);
const CONNECTION = whole(1, MOST_CONNECTIONS);
const IN_FLIGHT = whole(1, MOST_COMMANDS);
const BYTES = whole(0, MOST_BYTES);

/** @type {GenericSchema<ProfileHeader>} */
const HEADER = v.strictObject({
  type: v.literal('profile'),
  profileVersion: whole(PROFILE_VERSION, PROFILE_VERSION),
  tool: v.strictObject({
    name: v.literal('redis-pipe-bench'),
    version: textOf('a release', /^\d+\.\d+\.\d+[-+.a-z0-9]{0,30}$/),
  }),
  startedAt: time,
});
/** @type {GenericSchema<OpenLine>} */
const OPEN = v.strictObject({ type: v.literal('open'), atUs: US, connection: CONNECTION });
/** @type {GenericSchema<CloseLine>} */
const CLOSE = v.strictObject({
  type: v.literal('close'),
  atUs: US,
  connection: CONNECTION,
  pushes: count,
  pushBytes: count,
  unparsedBytes: count,
});
/** @type {GenericSchema<EndLine>} */
const END = v.strictObject({
  type: v.literal('end'),
  atUs: US,
  reason: v.picklist(['time', 'interrupted', 'full', 'most']),
  commands: whole(0, MOST_COMMANDS),
  dropped: count,
  keysShared: v.boolean(),
});

/** @param {unknown} value @param {number} most @param {number} [least] */
const isWhole = (value, most, least = 0) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const WORD = /^([A-Z]{1,20}|-?\d{1,10}|[-+*$>~=]|[-+]INF|0-0)$/;
/** By hand: each of several million is one of three kinds, and a union of schemas takes three times as long. */
const ARGUMENT = kind('a key, a size or a word of the syntax', (argument) => {
  if (typeof argument === 'number') return isWhole(argument, MOST_BYTES, -64);
  if (typeof argument === 'string') return WORD.test(argument);
  if (!Array.isArray(argument) || argument.length !== 2) return false;
  return isWhole(argument[0], MOST_KEYS - 1) && isWhole(argument[1], MOST_BYTES);
});
/** By hand for the same reason. */
const REPLY = kind('the shape of a reply', (reply) => {
  if (reply === null) return true;
  if (!Array.isArray(reply) || typeof reply[0] !== 'string') return false;
  const [type, ...sizes] = reply;
  if (type === '-')
    return sizes.length === 1 && typeof sizes[0] === 'string' && /^[A-Z]{1,20}$/.test(sizes[0]);
  if (sizes.length === 1) return /^[+:$_#,(=]$/.test(type) && isWhole(sizes[0], Number.MAX_SAFE_INTEGER);
  const [bytes, members, nulls] = sizes;
  return (
    sizes.length === 3 &&
    /^[*%~]$/.test(type) &&
    isWhole(bytes, Number.MAX_SAFE_INTEGER) &&
    isWhole(members, MOST_BYTES) &&
    isWhole(nulls, MOST_BYTES)
  );
});
const COMMAND = v.strictTuple([
  US,
  CONNECTION,
  textOf('a command', /^[A-Z][A-Z.]{0,30}[A-Z0-9_-]{0,10}( [A-Z-]{1,24})?$/),
  list(ARGUMENT, MOST_ARGUMENTS),
  REPLY,
  v.nullable(US),
  IN_FLIGHT,
  IN_FLIGHT,
  v.optional(v.strictTuple([BYTES, count])),
]);

/** @type {Map<string, GenericSchema>} */
const LINES = new Map(Object.entries({ profile: HEADER, open: OPEN, close: CLOSE, end: END }));

/** @param {unknown} line of a profile @returns {string | null} its error */
export function profileLineError(line) {
  if (Array.isArray(line)) return wrongIn(COMMAND, line);
  const schema = LINES.get(Object(line).type);
  return schema
    ? wrongIn(schema, line)
    : `expected a line of type ${[...LINES.keys()].join(', ')}, or a command`;
}
