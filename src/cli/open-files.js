import { readFileSync } from 'node:fs';

/** Measured: with 48 the tool's own files could not all be loaded; with 64 it says which cells need more. */
const FEWEST = 64;

/**
 * Too few open files would end the tool in the middle of loading itself. So this file loads nothing.
 *
 * @returns {string | null} what to say where there may be too few
 */
export function tooFewFiles() {
  const limit = openFilesLimit();
  if (limit === null || limit >= FEWEST) return null;
  return (
    `redis-pipe-bench: expected at least ${FEWEST} open files for a process, but the limit here is ${limit}; ` +
    'raise it with: ulimit -n 1024\n'
  );
}

/** @returns {number | null} null where that is not to be known */
function openFilesLimit() {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
