import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Removes what a library leaves behind for a process that has ended.
 *
 * @param {string | undefined} prefix with which the paths begin
 */
export function removeLeavings(prefix) {
  if (prefix === undefined) return;
  const folder = dirname(prefix);
  try {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(basename(prefix))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The folder is gone, and what was in it.
  }
}
