import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutSecrets } from './secrets.js';

/**
 * The exit codes. An error of none of the classes below is a bug in the tool, and the only one that
 * shows a stack trace.
 */
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

/** An error whose message is written for the user: what was expected, what was found, what to do. */
export class BenchError extends Error {
  name = 'BenchError';
  /** @type {number} */
  exitCode = EXIT.bug;
}

/** Wrong options or configuration: for the person who typed the command. */
export class UsageError extends BenchError {
  name = 'UsageError';
  exitCode = EXIT.usage;
}

/** No server, not a Redis, no access, or it was lost: for the person who runs the server. */
export class ServerError extends BenchError {
  name = 'ServerError';
  exitCode = EXIT.server;
}

/** A measurement failed or a reply was wrong: for the person who reads the results. */
export class RunError extends BenchError {
  name = 'RunError';
  exitCode = EXIT.run;
}

/** Interrupted before there was anything to report. */
export class InterruptedError extends BenchError {
  name = 'InterruptedError';
  exitCode = EXIT.interrupted;
}

/** A server may send a megabyte. What is quoted in another error grows, and must not be cut twice. */
const LONGEST = 1000;
const SHOWN = 500;

/**
 * The text of an error from outside (a server, a client, the system), on one line of bounded length and without
 * secrets. A failed connection to several addresses is an AggregateError, whose own message is empty; that of
 * node-redis for a batch only counts its error replies.
 * @param {unknown} error @returns {string}
 */
export function messageOf(error) {
  const { message, code, errors, replies, errorIndexes } = /** @type {any} */ (error ?? {});
  const text =
    replies?.[errorIndexes?.[0]]?.message || message || errors?.[0]?.message || code || String(error);
  const line = withoutSecrets(text.split('\n')[0].trim());
  return line.length > LONGEST ? `${line.slice(0, SHOWN)}… (${line.length - SHOWN} more characters)` : line;
}

/**
 * @template T
 * @param {string} what an option or a file @param {() => T} read @returns {T}
 * @throws {UsageError} instead of any error, with what it is about, and with each line of its message
 */
export function naming(what, read) {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${what}: ${/** @type {Error} */ (error).message}`);
  }
}

/** What is wrong with a file that the user named. Its message completes a sentence: "expected a profile, but FILE …". */
export class Refusal extends Error {}

/**
 * @param {any} error of reading a file @param {string} expected how the sentence begins, the name of the file included
 * @returns {unknown} a UsageError; the error itself where it is not about the file
 */
export function refusedFile(error, expected) {
  if (error instanceof Refusal) return new UsageError(`${expected} ${error.message}`);
  if (error.code === 'ENOENT') return new UsageError(`${expected} does not exist`);
  return error.code === undefined ? error : new UsageError(`${expected} cannot be read: ${messageOf(error)}`);
}

/**
 * @template T, Other
 * @param {() => T} read @param {Other} otherwise @returns {T | Other} the latter where the first throws
 */
export function attempt(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const TOOL = ['./', '../scenarios/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
/** What the tool hands to code of the user's: an error in there is about how it was called. */
const HANDED = fileURLToPath(new URL('./plugins/shared/', import.meta.url));
/** `at name (file:///folder/file.js:1:2)`, or without a name. */
const FRAME = /((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):\d+\)?$/;

/**
 * Where an error comes from, if that is a file of the user's own: packages and Node are stepped over.
 * @param {unknown} error @returns {string | null} `checkout.js:12`; null where the tool itself comes first
 */
export function ownPlaceOf(error) {
  for (const frame of String(/** @type {any} */ (error)?.stack ?? '').split('\n')) {
    const [, url, line] = FRAME.exec(frame) ?? [];
    if (url === undefined) continue;
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (file.startsWith(HANDED)) continue;
    if (TOOL.some((folder) => file.startsWith(folder))) return null;
    if (!/[\\/]node_modules[\\/]/.test(file)) return `${basename(file)}:${line}`;
  }
  return null;
}

/** @param {unknown} error @returns {string} its message, and where it comes from if that is a file of the user's own */
export function messageWithPosition(error) {
  const place = ownPlaceOf(error);
  return place === null ? messageOf(error) : `${messageOf(error)} (${place})`;
}
