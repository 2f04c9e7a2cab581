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
