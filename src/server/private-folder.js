import { readlinkSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { codeOf, messageOf, tryOr, UsageError } from '../errors.js';
import { ownIdentity, whereIs } from '../process/owner.js';
import { readBoundedSync } from '../process/read-file.js';

const PREFIX = 'redis-pipe-bench-';
const OWNER = 'owner';
/** A unix socket's path, file name included, may have 103 bytes on macOS and 107 on Linux. */
const LONGEST_PATH_BYTES = 103 - '/redis.sock'.length;

/** A server that runs in it has another working directory. */
const temporary = () => resolve(tmpdir());

/** Its owner file shows a later start whether the folder is abandoned. @throws {UsageError} if TMPDIR is unusable */
export async function createPrivateFolder() {
  const folder = await mkdtemp(join(temporary(), PREFIX)).catch(refuse);
  if (Buffer.byteLength(folder) > LONGEST_PATH_BYTES) {
    await rm(folder, { recursive: true });
    throw new UsageError(
      `the folder for temporary files, '${temporary()}', has too long a path for a unix socket; set TMPDIR to a shorter one`,
    );
  }
  await fillPrivateFolder(folder, () => markOwned(folder));
  return folder;
}

/**
 * @param {string} folder is removed where it cannot be filled, as on a full disk
 * @template T @param {() => Promise<T>} fill writes into it @returns {Promise<T>} @throws {UsageError}
 */
export const fillPrivateFolder = (folder, fill) =>
  fill().catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    return error.syscall === undefined ? Promise.reject(error) : refuse(error);
  });

/** @param {unknown} error @returns {never} */
function refuse(error) {
  const advice =
    codeOf(error) === 'EFBIG'
      ? 'raise the limit with: ulimit -f unlimited'
      : 'set TMPDIR to an existing, writable folder with free space';
  throw new UsageError(
    `the folder for temporary files, '${temporary()}', cannot be used (${messageOf(error)}); ${advice}`,
  );
}

/** @param {string} folder from createPrivateFolder */
export const recreatePrivateFolder = (folder) =>
  fillPrivateFolder(folder, async () => {
    await mkdir(folder, { mode: 0o700 });
    await markOwned(folder);
  });

/** @param {string} folder */
async function markOwned(folder) {
  const { pid, start, place } = ownIdentity();
  await writeFile(join(folder, OWNER), `${pid} ${start} ${place}\n`);
}

/** For when the guards died too, as when a container is killed or power fails. Kills servers left in those folders. */
export async function removeAbandonedFolders() {
  const names = await readdir(temporary()).catch(() => []);
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX))
      .map(async (name) => {
        const folder = join(temporary(), name);
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
  const [pid, start, ...where] = `${readBoundedSync(join(folder, OWNER))}`.trim().split(' ');
  return whereIs({ pid: Number(pid), start, place: where.join(' ') }) === 'gone';
}

/** @param {string} folder working directory of the server */
async function stopServersIn(folder) {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  for (const pid of pids) {
    tryOr(() => readlinkSync(`/proc/${pid}/cwd`) === folder && process.kill(pid, 'SIGKILL'), false);
  }
}
