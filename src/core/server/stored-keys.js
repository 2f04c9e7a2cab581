import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, messageOf } from '../errors.js';
import { succeeds, within } from '../process/wait.js';
import { makeFolder } from '../store/result-store.js';
import { isKeyPrefix } from './own-keys.js';
import { ownIdentity, whereIs } from './private-folder.js';
import { labelOf } from './target.js';

/** @import { ProcessIdentity } from '../machine/types.js' */
/** @import { Cell } from '../plan/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { Server, Swept, Target } from './types.js' */
/** @import { GroupContext } from '../run/types.js' */

/**
 * Leaves no key on an external server: removes what killed invocations left, and remembers what this one will store.
 * @param {Server[]} servers @param {string} prefix @param {string | null} folder null without a state folder
 */
export async function guardKeys(servers, prefix, folder) {
  /** @type {Awaited<ReturnType<typeof guardServer>>[]} */
  const guards = [];
  for (const server of servers.filter(({ kind }) => kind === 'external'))
    guards.push(await guardServer(server, prefix, folder));
  /** @type {Set<Server>} */
  const doubtful = new Set();
  return {
    notes: guards.flatMap(({ notes }) => notes),

    /** Its keys may not all be removed. @param {Server} server */
    doubt: (server) => void doubtful.add(server),

    /** @param {(server: Server) => Promise<string | null>} sweep returns why keys may be left */
    async end(sweep) {
      /** @type {Notice[]} */
      const warnings = [];
      for (const { server, end } of guards) {
        const failure = doubtful.has(server) ? await sweep(server) : null;
        await end(failure === null);
        if (failure !== null) warnings.push({ kind: 'keys-left', prefix, why: failure });
      }
      return warnings;
    },
  };
}

/** @param {Server} server @param {string} prefix @param {string | null} folder */
async function guardServer(server, prefix, folder) {
  /** @param {string | null} why @returns {Notice} */
  const unremembered = (why) => ({ kind: 'keys-unremembered', why });
  if (folder === null) return { server, notes: [unremembered(null)], end: async () => {} };
  const leftovers = await sweepLeftovers(server, folder);
  const notes = leftovers.flatMap(sweptNote);
  /** @type {ReturnType<typeof rememberKeys> | null} */
  let remembered = null;
  try {
    remembered = rememberKeys(folder, server, prefix);
  } catch (error) {
    notes.push(unremembered(messageOf(error)));
  }
  return {
    server,
    notes,
    /** @param {boolean} removed whether all keys are */
    async end(removed) {
      if (!removed) return remembered?.leave();
      remembered?.forget();
      // Workers of a killed tool may have stored keys just after the first sweep.
      if (leftovers.some(({ inUse }) => !inUse)) await sweepLeftovers(server, folder);
    },
  };
}

/** @param {Swept} swept @returns {Notice[]} */
const sweptNote = ({ prefix, removed, failure }) => {
  if (failure !== null) return [{ kind: 'old-keys-left', prefix, why: failure }];
  return removed === 0 ? [] : [{ kind: 'old-keys-removed', keys: removed }];
};

/** Removing a cell's keys takes milliseconds; a stalled server must not delay the end. */
const REMOVE_KEYS_WITHIN_MS = 3000;
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
  const removed = Promise.all(runners.map((runner) => runner.removeKeys()));
  const results = await Promise.race([removed, sleep(REMOVE_KEYS_WITHIN_MS, [false], { ref: false })]);
  return results.every(Boolean);
}

/**
 * Removes the keys of dead workers; a managed server's end with it.
 * @param {Server} server @param {string} keyPrefix @param {AbortSignal} signal @returns {Promise<string | null>}
 */
export async function sweepKeys(server, keyPrefix, signal) {
  if (server.kind === 'managed') return null;
  if (!(await worthAsking(server, signal))) return 'it does not reply';
  return server.removeKeys([keyPrefix]).then(() => null, messageOf);
}

/** Cleans up after killed invocations. @param {Server} server @param {string} folder @returns {Promise<Swept[]>} */
export async function sweepLeftovers(server, folder) {
  const all = rememberedKeys(folder, server);
  const abandoned = all.filter(({ inUse }) => !inUse).map(({ entry }) => entry.prefix);
  /** @type {string | null} */
  let failure = null;
  const counts = await server.removeKeys(abandoned).catch((error) => {
    failure = messageOf(error);
    return new Map();
  });
  return all.map(({ entry: { prefix, at }, inUse, settled, sure, forget }) => {
    if (inUse) return { prefix, at, inUse, removed: 0, failure: null };
    const removed = counts.get(prefix) ?? 0;
    // Another server may use this address while the one with the keys is down.
    if (failure === null && settled && (sure || removed > 0)) forget();
    return { prefix, at, inUse, removed, failure };
  });
}

/** @param {Server} server @param {AbortSignal} signal */
const worthAsking = async ({ control }, signal) =>
  !signal.aborted || succeeds(within(SOON_MS, control.ping()));

/** @typedef {ReturnType<typeof entryOf>} LedgerEntry */

/** In the state folder. */
const FOLDER = 'stored-keys';
const SUFFIX = '.json';
/** How often an invocation touches its file, for others that cannot see its process. */
const ALIVE_EVERY_MS = 15_000;
const DEAD_AFTER_MS = 4 * ALIVE_EVERY_MS;
/** By then, workers of a killed tool have noticed and ended. */
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
  const entry = entryOf(server, prefix);
  /** @param {LedgerEntry['owner']} owner */
  const write = (owner) =>
    writeFileSync(file, JSON.stringify({ ...entry, owner }), { mode: 0o600, flush: true });
  write(entry.owner);
  const timer = setInterval(() => touch(file), ALIVE_EVERY_MS).unref();
  return {
    /** All keys were removed. */
    forget() {
      clearInterval(timer);
      rmSync(file, { force: true });
    },
    /** Some keys remain; a later start will try again. */
    leave() {
      clearInterval(timer);
      write(null);
    },
  };
}

/** @param {Server} server @param {string} prefix */
const entryOf = (server, prefix) => ({
  prefix,
  ...placeOf(server),
  /** null if it ended and left keys. */
  owner: /** @type {ProcessIdentity | null} */ (ownIdentity()),
  at: new Date().toISOString(),
});

/** If the file is gone, nobody can mistake its keys for abandoned. @param {string} file */
const touch = (file) => attempt(() => utimesSync(file, new Date(), new Date()), undefined);

/**
 * @param {string} folder @param {Server} server
 * @returns `sure`: its run id proves it is the same server; `inUse`: its invocation lives, or did a minute ago;
 *   `settled`: its workers must be gone
 */
export function rememberedKeys(folder, server) {
  const here = placeOf(server);
  const names = attempt(() => readdirSync(join(folder, FOLDER)), []);
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .flatMap((name) => {
      const file = join(folder, FOLDER, name);
      const entry = readEntry(file);
      if (entry === null || entry.database !== here.database) return [];
      const sure = entry.runIds?.some((id) => here.runIds?.includes(id)) ?? false;
      if (!sure && entry.server !== here.server) return [];
      const ageMs = attempt(() => Date.now() - statSync(file).mtimeMs, Number.POSITIVE_INFINITY);
      const forget = () => rmSync(file, { force: true });
      return [{ entry, sure, inUse: isInUse(entry, ageMs), settled: ageMs > SETTLED_AFTER_MS, forget }];
    });
}

/** @param {Server} server */
function placeOf({ targets, runIds }) {
  const target = /** @type {Target} */ (Object.values(targets)[0]);
  return { server: labelOf(target), database: target.database ?? 0, runIds };
}

/** @param {string} file @returns {LedgerEntry | null} null if torn, too old, or from another version */
const readEntry = (file) =>
  attempt(() => {
    const entry = JSON.parse(readFileSync(file, 'utf8'));
    return isKeyPrefix(entry.prefix) && Date.now() - Date.parse(entry.at) < GIVE_UP_AFTER_MS ? entry : null;
  }, null);

/** @param {LedgerEntry} entry @param {number} ageMs since its owner touched it */
function isInUse({ owner }, ageMs) {
  if (owner === null) return false;
  const where = whereIs(owner);
  return where === 'elsewhere' ? ageMs < DEAD_AFTER_MS : where === 'here';
}
