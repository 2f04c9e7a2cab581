import { existsSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedClock, untilShared } from '../shared-clock.js';
import { createPrivateFolder } from './private-folder.js';

/** @import { ManagedProcess } from './types.js' */

const DATA = ['appendonlydir', 'appendonly.aof'];

/** With everysec (default) Redis replies before writing while an fsync is in flight (flushAppendOnlyFile, aof.c). */
export const KEEPING_DATA = [
  ...['--appendonly', 'yes', '--auto-aof-rewrite-percentage', '0'],
  ...['--appendfsync', 'no'],
];

/**
 * Resolves once the new process has started, which may be before it accepts commands.
 * @param {ManagedProcess} server @param {object} how @param {number} how.pid @param {number} how.atMs shared clock
 * @param {number} how.downMs @param {boolean} how.keepsData @param {string[]} [how.args] for the restart
 * @param {AbortSignal} how.signal
 */
export async function restart(server, { pid, atMs, downMs, keepsData, args = [], signal }) {
  // `server.folder` is removed with the process.
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

/** @param {string} from @param {string} to on the same file system */
function moveData(from, to) {
  for (const name of DATA) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
}
