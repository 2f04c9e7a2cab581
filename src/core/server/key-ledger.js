import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../errors.js';
import { makeFolder } from '../store/result-store.js';
import { isKeyPrefix } from './own-keys.js';
import { ownIdentity, whereIs } from './private-folder.js';
import { labelOf } from './target.js';

/** @import { Server, Target } from './types.js' */
/** @import { ProcessIdentity } from '../machine/types.js' */

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
  return filesIn(join(folder, FOLDER)).flatMap((file) => {
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

/** @param {string} folder */
const filesIn = (folder) =>
  attempt(() => readdirSync(folder), [])
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => join(folder, name));

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
