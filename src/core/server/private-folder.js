import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, messageOf, UsageError } from '../errors.js';

/** @import { ProcessIdentity } from '../machine/types.js' */

const PREFIX = 'redis-pipe-bench-';
const OWNER = 'owner';
/** A unix socket's path, file name included, may have 103 bytes on macOS and 107 on Linux. */
const LONGEST_PATH_BYTES = 103 - '/redis.sock'.length;

/** Its owner file shows a later start whether the folder is abandoned. @throws {UsageError} if TMPDIR is unusable */
export async function createPrivateFolder() {
  const folder = await mkdtemp(join(tmpdir(), PREFIX)).catch((error) => {
    throw new UsageError(
      `the folder for temporary files, '${tmpdir()}', cannot be used (${messageOf(error)}); ` +
        'set TMPDIR to an existing, writable folder',
    );
  });
  if (Buffer.byteLength(folder) > LONGEST_PATH_BYTES) {
    await rm(folder, { recursive: true });
    throw new UsageError(
      `the folder for temporary files, '${tmpdir()}', has too long a path for a unix socket; set TMPDIR to a shorter one`,
    );
  }
  await markOwned(folder);
  return folder;
}

/** @param {string} folder from createPrivateFolder */
export async function recreatePrivateFolder(folder) {
  await mkdir(folder, { mode: 0o700 });
  await markOwned(folder);
}

/** @param {string} folder */
async function markOwned(folder) {
  const { pid, start, place } = ownIdentity();
  await writeFile(join(folder, OWNER), `${pid} ${start} ${place}\n`);
}

/** For when the guards died too, as when a container is killed or power fails. Kills servers left in those folders. */
export async function removeAbandonedFolders() {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX))
      .map(async (name) => {
        const folder = join(tmpdir(), name);
        if (!(await isAbandoned(folder).catch(() => false))) return;
        await stopServersIn(folder);
        await rm(folder, { recursive: true, force: true });
      }),
  );
}

/** @param {string} folder */
async function isAbandoned(folder) {
  const facts = await lstat(folder);
  if (!facts.isDirectory() || facts.uid !== process.getuid?.()) return false;
  const [pid, start, ...where] = (await readFile(join(folder, OWNER), 'utf8')).trim().split(' ');
  return whereIs({ pid: Number(pid), start, place: where.join(' ') }) === 'gone';
}

/** @param {string} folder working directory of the server */
async function stopServersIn(folder) {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  for (const pid of pids) {
    attempt(() => readlinkSync(`/proc/${pid}/cwd`) === folder && process.kill(pid, 'SIGKILL'), false);
  }
}

export const ownIdentity = () => ({ pid: process.pid, start: startOf(process.pid), place: placeOf() });

/** @param {ProcessIdentity} identity @returns {'here' | 'gone' | 'elsewhere'} in another container pids mean nothing */
export function whereIs({ pid, start, place }) {
  if (place !== placeOf()) return 'elsewhere';
  return isAlive(pid) && startOf(pid) === start ? 'here' : 'gone';
}

/** @returns {string} the scope in which a pid is unique */
const placeOf = () => attempt(() => `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`, hostname());

/** @param {number} pid @returns {string} start time, because pids are reused */
const startOf = (pid) =>
  attempt(
    // proc(5): field 22, in clock ticks since boot; the process name may hold blanks.
    () =>
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[22 - 3],
    '-',
  );

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {any} */ (error).code === 'EPERM';
  }
}
