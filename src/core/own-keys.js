import { randomUUID } from 'node:crypto';
import { messageOf, ServerError } from './errors.js';

/** @import { Control } from './server/types.js' */

export const KEY_PREFIX = 'rpb:';
const OURS = /^rpb:[0-9a-z]{4}/;

/** @param {string} key @returns {string | null} the prefix of its invocation; null if it is not a key of this tool */
export const prefixOf = (key) => OURS.exec(key)?.[0] ?? null;

/** @param {unknown} text */
export const isKeyPrefix = (text) => typeof text === 'string' && prefixOf(text) === text;

const WAYS = [['DEL'], ['UNLINK'], ['PEXPIRE', '0']];
const DENIED = /NOPERM|unknown command/i;

/** Tries commands on a key that cannot exist. ACL DRYRUN needs more rights. @param {Control} control */
export async function findRemoval({ command }) {
  const nobodys = `${KEY_PREFIX}-${randomUUID()}`;
  let reason = '';
  for (const [name, ...rest] of WAYS) {
    const refused = await command(name, nobodys, ...rest).then(
      () => null,
      // After any other error, such as MOVED, the command is allowed: Redis checks the ACL first.
      (error) => (DENIED.test(reasonOf(error)) ? reasonOf(error) : null),
    );
    if (refused === null) return [name, ...rest];
    reason ||= refused;
  }
  throw new ServerError(
    `this user may store keys but not remove them: DEL, UNLINK and PEXPIRE are refused (${reason}); nothing was ` +
      "stored. Allow one of them for keys that start with 'rpb:' (ACL SETUSER … +del ~rpb:*)",
  );
}

/** What the server replied. @param {any} error @returns {string} */
export const reasonOf = (error) => messageOf(error?.cause ?? error);

/**
 * Scans a node once for the keys of processes that died before removing them.
 * @param {Control} control @param {string[]} removal @param {Map<string, number>} removed counts by prefix
 */
export async function removeKeys({ command }, [name, ...rest], removed) {
  const [only] = removed.keys();
  for await (const keys of keysOf(command, removed.size === 1 ? only : KEY_PREFIX)) {
    const ours = keys.filter((key) => removed.has(String(prefixOf(key))));
    // One key per command, because keys on a cluster node may be in different slots.
    const replies = await Promise.all(ours.map((key) => command(name, key, ...rest)));
    for (const [index, key] of ours.entries()) {
      const prefix = String(prefixOf(key));
      removed.set(prefix, Number(removed.get(prefix)) + Number(replies[index]));
    }
  }
}

/** @param {Control} control @param {Map<string, number>} found counts by prefix */
export async function countPrefixes({ command }, found) {
  for await (const keys of keysOf(command, KEY_PREFIX)) {
    for (const prefix of keys.flatMap((key) => prefixOf(key) ?? [])) {
      found.set(prefix, (found.get(prefix) ?? 0) + 1);
    }
  }
}

/** @param {Control['command']} command @param {string} prefix @returns {AsyncGenerator<string[]>} */
export async function* keysOf(command, prefix) {
  let cursor = '0';
  do {
    const reply = await command('SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', '1000');
    const [next, keys] = /** @type {[string, string[]]} */ (reply);
    yield keys.map(String).filter((key) => key.startsWith(prefix));
    cursor = String(next);
  } while (cursor !== '0');
}
