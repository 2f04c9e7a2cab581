import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutSecrets } from './process/secrets.js';

/** Exit codes. An error of none of the classes below is a bug in the tool, and only it shows a stack trace. */
export const EXIT = Object.freeze({
  done: 0,
  bug: 1,
  usage: 2,
  server: 3,
  run: 4,
  assertion: 5,
  undecided: 6,
  interrupted: 130,
});

/** Its text is for the user: what was expected, what was found, what to do. */
export class BenchError extends Error {
  name = 'BenchError';
  /** @type {number} */
  exitCode = EXIT.bug;
}

export class UsageError extends BenchError {
  name = 'UsageError';
  exitCode = EXIT.usage;
}

/** No server, not a Redis, no access, or a lost connection. */
export class ServerError extends BenchError {
  name = 'ServerError';
  exitCode = EXIT.server;
}

/** A failed measurement or a wrong reply. */
export class RunError extends BenchError {
  name = 'RunError';
  exitCode = EXIT.run;
}

/** Stopped because the server, or its machine, has no room left for what it stores: no other cell would have any. */
export class NoRoomError extends RunError {
  name = 'NoRoomError';
}

/** A run did not end in time. */
export class HangError extends RunError {
  name = 'HangError';
}

/** A worker got no reply at all. */
export class SilenceError extends HangError {
  name = 'SilenceError';
}

export class InterruptedError extends BenchError {
  name = 'InterruptedError';
  exitCode = EXIT.interrupted;
}

/** @param {unknown} error @returns {string | undefined} that the system gave it, such as `ENOENT` */
export const codeOf = (error) => Object(error).code;

/** A server's error may be a megabyte. SHOWN is well below LONGEST, so that a quoted text is not cut again. */
const LONGEST = 1000;
const SHOWN = 500;

/**
 * One bounded line without secrets. An AggregateError (several addresses failed) has an empty text, and node-redis's
 * error for a batch only counts its error replies. @param {unknown} error @returns {string}
 */
export function messageOf(error) {
  const { message, code, errors, replies, errorIndexes } = Object(error);
  const text =
    replies?.[errorIndexes?.[0]]?.message ||
    message ||
    errors?.[0]?.message ||
    code ||
    errors?.[0]?.code ||
    classOf(error);
  const line = withoutSecrets(`${text}`.split('\n')[0].trim());
  return line.length > LONGEST ? `${line.slice(0, SHOWN)}… (${line.length - SHOWN} more characters)` : line;
}

/** An error without a text, as node-redis's TimeoutError. @param {unknown} error @returns {string} */
function classOf(error) {
  if (!(error instanceof Error)) return String(error);
  const name = error.name === 'Error' ? error.constructor.name : error.name;
  return name === 'Error' ? 'an Error without a message' : name;
}

/** @template T @param {string} what option or file @param {() => T} read @returns {T} @throws {UsageError} */
export function withErrorPrefix(what, read) {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${what}: ${Object(error).message}`);
  }
}

/** A problem with a file that the user named. Its text completes "expected a profile, but FILE …". */
export class Refusal extends Error {}

/** Passes other errors on. @param {unknown} error @param {string} expected up to the file's name @returns {unknown} */
export function refusedFile(error, expected) {
  if (error instanceof Refusal) return new UsageError(`${expected} ${error.message}`);
  const code = codeOf(error);
  if (code === 'ENOENT') return new UsageError(`${expected} does not exist`);
  return code === undefined ? error : new UsageError(`${expected} cannot be read: ${messageOf(error)}`);
}

/** @template T, Other @param {() => T} read @param {Other} otherwise if `read` throws @returns {T | Other} */
export function tryOr(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const TOOL = ['./', '../scenarios/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
/** Helpers for the user's plugins: an error in them is about the user's call. */
const HANDED = fileURLToPath(new URL('./plugins/shared/', import.meta.url));
/** `at name (file:///folder/file.js:1:2)`, or without the name. */
const FRAME = /((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):\d+\)?$/;

/** Files that the user named and this process has loaded. @type {Set<string>} */
const named = new Set();

/** @param {string} file an absolute path */
export const nameOwnFile = (file) => void named.add(file);

/** Where it failed in a file that the user named. @param {unknown} error @returns {string | null} `checkout.js:12`; null if the tool's code failed */
export function ownPlaceOf(error) {
  for (const frame of String(Object(error).stack ?? '').split('\n')) {
    const [, url, line] = FRAME.exec(frame) ?? [];
    if (url === undefined) continue;
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (file.startsWith(HANDED)) continue;
    if (TOOL.some((folder) => file.startsWith(folder))) return null;
    if (named.has(file)) return `${basename(file)}:${line}`;
  }
  return null;
}

/** @param {unknown} error @returns {string} its text, with the user's line if it comes from one */
export function messageWithPosition(error) {
  const place = ownPlaceOf(error);
  return place === null ? messageOf(error) : `${messageOf(error)} (${place})`;
}
