import { existsSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedClock, untilShared } from '../shared-clock.js';
import { createPrivateFolder } from './private-folder.js';

/** @import { ManagedProcess } from './types.js' */

/** Where servers keep what they read at their start. */
const DATA = ['appendonlydir', 'appendonly.aof'];

/**
 * Options with which a server keeps all that it has acknowledged, whatever kills its process. With the default of
 * `appendfsync`, everysec, it replies without having written while an fsync is under way (flushAppendOnlyFile in aof.c).
 */
export const KEEPING_DATA = [
  ...['--appendonly', 'yes', '--auto-aof-rewrite-percentage', '0'],
  ...['--appendfsync', 'no'],
];

/**
 * Kills a managed server at a given moment and starts it again at the same addresses.
 * @param {ManagedProcess} server @param {object} how @param {number} how.pid
 * @param {number} how.atMs by the shared clock @param {number} how.downMs until it is started again
 * @param {boolean} how.keepsData which it must have written to its files
 * @param {string[]} [how.args] more options with which it starts again @param {AbortSignal} how.signal
 * @returns {Promise<{struckAtMs: number, startedAtMs: number}>} by the shared clock, once it is started; it may not answer yet.
 *   What was acknowledged before `startedAtMs`, the old process has done
 */
export async function restart(server, { pid, atMs, downMs, keepsData, args = [], signal }) {
  // Its own folder goes with it.
  const aside = keepsData ? await createPrivateFolder() : null;
  await untilShared(atMs, signal);
  if (aside !== null) moveData(server.folder, aside);
  process.kill(pid, 'SIGKILL');
  const struckAtMs = sharedClock();
  const again = await server.revive(args);
  if (aside !== null) {
    moveData(aside, server.folder);
    await rm(aside, { recursive: true });
  }
  const startedAtMs = await untilShared(struckAtMs + downMs, signal);
  again.launch();
  return { struckAtMs, startedAtMs };
}

/** @param {string} from @param {string} to folders of one file system */
function moveData(from, to) {
  for (const name of DATA) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
}
