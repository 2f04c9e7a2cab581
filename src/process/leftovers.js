import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Removes files that a library left behind. @param {string | undefined} prefix of their paths */
export function removeLeftovers(prefix) {
  if (prefix === undefined) return;
  const folder = dirname(prefix);
  try {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(basename(prefix))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The folder is gone.
  }
}

/** What keeps a process alive. No pipes: those are its output and its IPC channel. @type {Record<string, string>} */
const WORDS = {
  Timeout: 'a timer',
  TCPSocketWrap: 'a connection',
  TCPServerWrap: 'a server that listens',
  UDPWrap: 'a UDP socket',
  ProcessWrap: 'a child process',
  FSEventWrap: 'a watched file',
  MessagePort: 'a thread',
};

export const openNow = () => process.getActiveResourcesInfo().flatMap((type) => WORDS[type] ?? []);

/** @param {string[]} before an earlier `openNow()` @returns {string[]} what was opened since and is still open */
export function openedSince(before) {
  const known = [...before];
  return openNow().filter((each) => {
    const at = known.indexOf(each);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}
