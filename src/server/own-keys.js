import { randomUUID } from 'node:crypto';
import { messageOf, ServerError } from '../errors.js';
import { ErrorReply } from '../relay/resp.js';
import { COUNT, REMOVED, SCANNED } from './replies.js';

/** @import { Control } from './types.js' */

export const KEY_PREFIX = 'rpb:';
const OURS = /^rpb:[0-9a-z]{4}/;

/** @param {string} key @returns {string | null} the prefix of its invocation; null if it is not a key of this tool */
export const prefixOf = (key) => OURS.exec(key)?.[0] ?? null;

/** @param {unknown} text */
export const isKeyPrefix = (text) => typeof text === 'string' && prefixOf(text) === text;

const WAYS = [['DEL'], ['UNLINK'], ['PEXPIRE', '0']];
const DENIED = /NOPERM|unknown command/i;

/** Tries commands on a key that cannot exist. ACL DRYRUN needs more rights. @param {Control} control */
export async function findRemoval({ ask }) {
  const nobodys = `${KEY_PREFIX}-${randomUUID()}`;
  let reason = '';
  for (const [name, ...rest] of WAYS) {
    const refused = await ask(REMOVED, name, nobodys, ...rest).then(
      () => null,
      (error) => {
        if (!isErrorReply(error)) throw error;
        // After any other error, such as MOVED, the command is allowed: Redis checks the ACL first.
        return DENIED.test(reasonOf(error)) ? reasonOf(error) : null;
      },
    );
    if (refused === null) return [name, ...rest];
    reason ||= refused;
  }
  throw new ServerError(
    `this user may store keys but not remove them: DEL, UNLINK and PEXPIRE are refused (${reason}); nothing was ` +
      "stored. Allow one of them for keys that start with 'rpb:' (ACL SETUSER … +del ~rpb:*)",
  );
}

/** What the server replied. @param {unknown} error */
export const reasonOf = (error) => messageOf(Object(error).cause ?? error);

/** Whether the server refused a command, and is neither lost nor replied something else. @param {unknown} error */
export const isErrorReply = (error) => Object(error).cause instanceof ErrorReply;

/**
 * Scans a node once for the keys of processes that died before removing them.
 * @param {Control} control @param {string[]} removal @param {Map<string, number>} removed counts by prefix
 */
export async function removeKeys(control, [name, ...rest], removed) {
  const [only] = removed.keys();
  for await (const keys of keysOf(control, removed.size === 1 ? only : KEY_PREFIX)) {
    const ours = keys.filter((key) => removed.has(String(prefixOf(key))));
    // One key per command, because keys on a cluster node may be in different slots.
    const replies = await Promise.all(ours.map((key) => control.ask(REMOVED, name, key, ...rest)));
    for (const [index, key] of ours.entries()) {
      const prefix = String(prefixOf(key));
      removed.set(prefix, Number(removed.get(prefix)) + replies[index]);
    }
  }
}

/** @param {Control} control @param {Map<string, number>} found counts by prefix */
export async function countPrefixes(control, found) {
  for await (const keys of keysOf(control, KEY_PREFIX)) {
    for (const prefix of keys.flatMap((key) => prefixOf(key) ?? [])) {
      found.set(prefix, (found.get(prefix) ?? 0) + 1);
    }
  }
}

/** Asked of each SCAN. */
const COUNT_ASKED = 1000;
/** So many calls need no reason: a large table of which few keys are left takes many. */
const FREE_CALLS = 2000;
/** After that, so many keys are looked at with each call, of the COUNT_ASKED, or it does not end. */
const LEAST_KEYS = 10;
const SCAN_WITHIN_MS = 300_000;

/**
 * @param {Control} control @param {string} prefix @returns {AsyncGenerator<string[]>}
 * @throws {ServerError} where SCAN does not end
 */
export async function* keysOf(control, prefix) {
  const { ask, wrong } = control;
  const endless = (/** @type {string} */ why) => wrong(['SCAN'], `${why}, so it would never end`);
  const deadlineMs = performance.now() + SCAN_WITHIN_MS;
  let most = Number.POSITIVE_INFINITY;
  let cursor = '0';
  /** One that was seen, compared with all up to twice as many calls later: a circle is found without storing it. */
  let seen = '0';
  let nextSeenAt = 2;
  for (let calls = 1; ; calls++) {
    const [next, keys] = await ask(SCANNED, 'SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', `${COUNT_ASKED}`);
    yield keys.filter((key) => key.startsWith(prefix));
    if (next === '0') return;
    if (next === seen || next === cursor) throw endless('its cursor came back to where it had been');
    if (calls === nextSeenAt) [seen, nextSeenAt] = [next, 2 * nextSeenAt];
    if (calls === FREE_CALLS) most = FREE_CALLS + (await sizeOf(control)) / LEAST_KEYS;
    if (calls >= most) throw endless(`its cursor is not back at 0 after ${calls} calls`);
    if (performance.now() > deadlineMs)
      throw wrong(['SCAN'], `its cursor is not back at 0 after ${SCAN_WITHIN_MS / 60_000} minutes`);
    cursor = next;
  }
}

/** @param {Control} control @returns {Promise<number>} keys; a very large number where it is not told */
const sizeOf = ({ ask }) =>
  ask(COUNT, 'DBSIZE').catch((error) => {
    if (isErrorReply(error)) return Number.MAX_SAFE_INTEGER;
    throw error;
  });
