import { readFileSync } from 'node:fs';

/** Measured: with 128 most commands can load their files, with 140 not those of a page in HTML, with 160 all. */
const FEWEST = 192;

/**
 * With too few open files the tool would crash while loading itself, so this file imports nothing.
 * @returns {string | null} the message if there may be too few
 */
export function tooFewFiles() {
  const limit = openFilesLimit();
  if (limit === null || limit >= FEWEST) return null;
  return (
    `redis-pipe-bench: expected at least ${FEWEST} open files for a process, but the limit here is ${limit}; ` +
    'raise it with: ulimit -n 1024\n'
  );
}

/** @returns {number | null} null if the system does not say */
function openFilesLimit() {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
