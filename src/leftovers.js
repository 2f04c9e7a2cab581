import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Removes what a library leaves behind for a process that has ended.
 * @param {string | undefined} prefix with which the paths begin
 */
export function removeLeftovers(prefix) {
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

/** What keeps a process from ending, in words; its own output and the channel to its parent are pipes. @type {Record<string, string>} */
const WORDS = {
  Timeout: 'a timer',
  TCPSocketWrap: 'a connection',
  TCPServerWrap: 'a server that listens',
  UDPWrap: 'a UDP socket',
  ProcessWrap: 'a child process',
  FSEventWrap: 'a watched file',
  MessagePort: 'a thread',
};

/** @returns {string[]} all that is open in this process and keeps it from ending */
export const openNow = () => process.getActiveResourcesInfo().flatMap((type) => WORDS[type] ?? []);

/** @param {string[]} before what was open then @returns {string[]} what was opened since, and is open still */
export function openedSince(before) {
  const known = [...before];
  return openNow().filter((each) => {
    const at = known.indexOf(each);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}
