import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, UsageError } from '../errors.js';

const PREFIX = 'redis-pipe-bench-';
/** Names the process that a folder belongs to. */
const OWNER = 'owner';
/** A unix socket's path may have 103 bytes on macOS and 107 on Linux; its name is in it. */
const LONGEST_PATH_BYTES = 103 - '/redis.sock'.length;

/**
 * Makes a folder that only this user can enter, and that a later start can tell to be abandoned.
 *
 * @returns {Promise<string>} its path
 * @throws {UsageError} where TMPDIR is of no use
 */
export async function createPrivateFolder() {
  const folder = await mkdtemp(join(tmpdir(), PREFIX)).catch((error) => {
    throw new UsageError(
      `the folder for temporary files, '${tmpdir()}', cannot be used (${messageOf(error)}); ` +
        'set TMPDIR to a folder that is there and can be written',
    );
  });
  if (Buffer.byteLength(folder) > LONGEST_PATH_BYTES) {
    await rm(folder, { recursive: true });
    throw new UsageError(
      `the folder for temporary files, '${tmpdir()}', has too long a path for a unix socket; set TMPDIR to a shorter one`,
    );
  }
  await writeFile(join(folder, OWNER), `${process.pid} ${startOf(process.pid)} ${place()}\n`);
  return folder;
}

/**
 * Removes what was left by a tool that was killed together with the guards of its servers, as a
 * container is, or a machine without power: folders of this user whose owner is known to be dead.
 * With the folder goes a server that still works in it, for want of its guard.
 */
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
  // A process id means nothing in another container that shares this folder.
  return where.join(' ') === place() && !(isAlive(Number(pid)) && startOf(Number(pid)) === start);
}

/** @returns {string} the machine or container in which process ids are told apart */
function place() {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** @param {number} pid @returns {string} when it was started, as another may have its number by now */
function startOf(pid) {
  try {
    // proc(5): field 22, in clock ticks since the start of the machine; the name may hold blanks.
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')[22 - 3];
  } catch {
    return '-';
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {any} */ (error).code === 'EPERM';
  }
}

/** @param {string} folder the working directory of whatever server was started in it */
async function stopServersIn(folder) {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  for (const pid of pids) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === folder) process.kill(pid, 'SIGKILL');
    } catch {}
  }
}
