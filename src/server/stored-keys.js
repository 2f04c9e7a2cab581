import { randomInt } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { present } from '../collections.js';
import { messageOf, tryOr } from '../errors.js';
import { ALIVE_EVERY_MS, isInUse, OWNER, ownIdentity } from '../process/owner.js';
import { jsonIn, readBoundedSync } from '../process/read-file.js';
import { succeeds, within } from '../process/wait.js';
import { writeWholeSync } from '../process/write-file.js';
import { readAs } from '../schema.js';
import { makeFolder } from '../store/result-store.js';
import { isKeyPrefix, KEY_PREFIX } from './own-keys.js';
import { labelOf } from './target.js';

/** @import { ProcessIdentity } from '../machine/types.js' */
/** @import { Cell } from '../run/plan/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { Server } from './types.js' */
/** @import { GroupContext, OwnKeys } from '../run/types.js' */

/**
 * Leaves no key on an external server: removes what killed invocations left, and remembers what this one will store. Nothing
 * else makes a prefix, so no key can be stored that is not remembered.
 * @param {Server[]} servers @param {string | null} folder null without a state folder @returns {Promise<OwnKeys>}
 */
export async function guardKeys(servers, folder) {
  const prefix = createKeyPrefix();
  /** Those of which not all keys may be removed. @type {Set<Server>} */
  const doubtful = new Set();
  /** @type {Notice[]} */
  const notes = [];
  /** @type {{server: Server, leftovers: Swept[], remembered?: ReturnType<typeof rememberKeys>}[]} */
  const guards = [];
  for (const server of servers.filter(({ kind }) => kind === 'external')) {
    const leftovers = folder === null ? [] : await sweepLeftovers(server, folder);
    for (const { prefix, removed, failure } of leftovers) {
      if (failure !== null) notes.push({ kind: 'old-keys-left', prefix, why: failure });
      else if (removed > 0) notes.push({ kind: 'old-keys-removed', keys: removed });
    }
    try {
      const remembered = folder === null ? undefined : rememberKeys(folder, server, prefix);
      guards.push({ server, leftovers, remembered });
      if (folder === null) notes.push({ kind: 'keys-unremembered', why: null });
    } catch (error) {
      guards.push({ server, leftovers });
      notes.push({ kind: 'keys-unremembered', why: messageOf(error) });
    }
  }
  return {
    prefix,
    notes,
    doubt: (server) => void doubtful.add(server),

    async end(signal) {
      /** @type {Notice[]} */
      const warnings = [];
      for (const { server, leftovers, remembered } of guards) {
        const why = doubtful.has(server) ? await sweepKeys(server, prefix, signal) : null;
        if (why !== null) {
          remembered?.leave();
          warnings.push({ kind: 'keys-left', prefix, why });
          continue;
        }
        remembered?.forget();
        // Workers of a killed tool may have stored keys just after the first sweep.
        if (folder !== null && leftovers.some(({ inUse }) => !inUse)) await sweepLeftovers(server, folder);
      }
      return warnings;
    },
  };
}

/** @returns {string} `rpb:` and four random characters, most likely unique to this invocation */
const createKeyPrefix = () =>
  `${KEY_PREFIX}${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;

/** @param {Server} server @param {string} prefix @param {AbortSignal} signal @returns {Promise<string | null>} why keys may be left */
const sweepKeys = async (server, prefix, signal) =>
  (await worthAsking(server, signal))
    ? server.removeKeys([prefix]).then(() => null, messageOf)
    : 'it does not reply';

/** A hung server must not delay Ctrl-C. */
const SOON_MS = 500;

/**
 * @param {{cell: Cell, removeKeys: () => Promise<boolean>}[]} runners each removes its cell's keys
 * @param {Pick<GroupContext, 'placeOf' | 'signal'>} context @returns {Promise<boolean>} whether all were removed
 */
export async function removeKeys(runners, { placeOf, signal }) {
  const servers = [...new Set(runners.map(({ cell }) => placeOf(cell).server))];
  const worth = await Promise.all(servers.map((server) => worthAsking(server, signal)));
  if (!worth.every(Boolean)) return false;
  const removed = await Promise.all(runners.map((runner) => runner.removeKeys()));
  return removed.every(Boolean);
}

/** @param {Server} server @param {AbortSignal} signal */
const worthAsking = async ({ control }, signal) =>
  !signal.aborted || succeeds(within(SOON_MS, control.ping()));

/**
 * `owner` is null where it ended and left keys
 * @typedef {ReturnType<typeof placeOf> & {prefix: string, at: string, owner: ProcessIdentity | null}} LedgerEntry
 */

const FOLDER = 'stored-keys';
const SUFFIX = '.json';
/** Workers of a killed tool have noticed and ended after this long. */
const SETTLED_AFTER_MS = ALIVE_EVERY_MS + 5000;
/** A restarted server has a new run id. Give up if its address does not lead to the keys either. */
const GIVE_UP_AFTER_MS = 30 * 24 * 3600 * 1000;

/**
 * The file is written before the first key and removed after the last, so a later start finds any keys left.
 * @param {string} folder @param {Server} server @param {string} prefix @returns call one of its functions to end it
 */
export function rememberKeys(folder, server, prefix) {
  makeFolder(join(folder, FOLDER));
  const place = server.key.replace(/[^\w.-]+/g, '-');
  const file = join(folder, FOLDER, `${prefix.slice(-4)}-${process.pid}-${place}${SUFFIX}`);
  const entry = { prefix, ...placeOf(server), at: new Date().toISOString() };
  /** @param {LedgerEntry['owner']} owner */
  const write = (owner) => writeWholeSync(file, [JSON.stringify({ ...entry, owner })], { mode: 0o600 });
  write(ownIdentity());
  // If the file is gone, nobody can mistake its keys for abandoned.
  const touch = () => tryOr(() => utimesSync(file, new Date(), new Date()), undefined);
  const timer = setInterval(touch, ALIVE_EVERY_MS).unref();
  return {
    /** All keys were removed. */
    forget() {
      clearInterval(timer);
      forget(file);
    },
    /** Some keys remain; a later start will try again, at the latest when this process has ended. */
    leave() {
      clearInterval(timer);
      tryOr(() => write(null), undefined);
    },
  };
}

/**
 * What was done about another invocation's keys. `at`: when it started, null if unknown; `inUse`: left alone, because it may
 * still run
 * @typedef {{prefix: string, at: string | null, inUse: boolean, removed: number, failure: string | null}} Swept
 */

/** Cleans up after killed invocations. @param {Server} server @param {string} folder @returns {Promise<Swept[]>} */
export async function sweepLeftovers(server, folder) {
  const here = placeOf(server);
  const names = tryOr(() => readdirSync(join(folder, FOLDER)), []).filter((name) => name.endsWith(SUFFIX));
  const all = names.flatMap((name) => {
    const file = join(folder, FOLDER, name);
    const entry = readEntry(file);
    if (entry === null || entry.database !== here.database) return [];
    // Its run id proves that it is the same server.
    const isSure = entry.runIds?.some((id) => here.runIds?.includes(id)) ?? false;
    if (!isSure && entry.server !== here.server) return [];
    const ageMs = tryOr(() => Date.now() - statSync(file).mtimeMs, Number.POSITIVE_INFINITY);
    return [{ file, entry, isSure, ageMs, inUse: isInUse(entry.owner, ageMs) }];
  });
  const abandoned = all.filter(({ inUse }) => !inUse).map(({ entry }) => entry.prefix);
  /** @type {string | null} */
  let failure = null;
  const counts = await server.removeKeys(abandoned).catch((error) => {
    failure = messageOf(error);
    return new Map();
  });
  return all.map(({ file, entry: { prefix, at }, isSure, ageMs, inUse }) => {
    if (inUse) return { prefix, at, inUse, removed: 0, failure: null };
    const removed = counts.get(prefix) ?? 0;
    // Another server may use this address while the one with the keys is down.
    if (failure === null && ageMs > SETTLED_AFTER_MS && (isSure || removed > 0)) forget(file);
    return { prefix, at, inUse, removed, failure };
  });
}

/** @param {Server} server */
function placeOf({ targets, runIds }) {
  const target = present(Object.values(targets)[0]);
  return { server: labelOf(target), database: target.database ?? 0, runIds };
}

/** Where it cannot be removed, a later start finds no keys of it. @param {string} file */
const forget = (file) => tryOr(() => rmSync(file, { force: true }), undefined);

const ENTRY = v.object({
  prefix: v.pipe(
    v.string(),
    v.check((text) => isKeyPrefix(text), 'expected a prefix of keys'),
  ),
  server: v.string(),
  database: v.number(),
  runIds: v.nullable(v.array(v.string())),
  at: v.pipe(v.string(), v.isoTimestamp()),
  owner: v.nullable(OWNER),
});

/** @param {string} file @returns {LedgerEntry | null} null if torn, too old, or from another version */
const readEntry = (file) =>
  tryOr(() => {
    const entry = readAs(ENTRY, jsonIn(`${readBoundedSync(file)}`), Error);
    return Date.now() - Date.parse(entry.at) < GIVE_UP_AFTER_MS ? entry : null;
  }, null);
