/**
 * Clients word the same error differently, so failed operations are counted by the name of their cause.
 * @typedef {{name: string, pattern: RegExp, meaning: string, remedy: string}} Cause
 */

/** The first match counts. @type {Cause[]} */
export const CAUSES = [
  {
    name: 'bound reached',
    pattern: /the bound of --max-in-flight/,
    meaning: 'more operations were due than --max-in-flight allows, and --when-full is fail',
    remedy: 'use a lower --rate, a larger --max-in-flight, or --when-full wait or drop',
  },
  {
    name: 'message lost',
    pattern: /a message was lost/,
    meaning: 'the server took it, but a receiver never got it',
    remedy: "look for a proxy between, or a program that takes or removes what is under this tool's keys",
  },
  {
    name: 'max clients',
    pattern: /max number of clients/i,
    meaning: 'the server accepts no more connections',
    remedy: 'raise its maxclients, or use fewer --tasks or fewer connections for them',
  },
  {
    name: 'OOM',
    pattern: /\bOOM\b/,
    meaning: "the server's memory is full, and its policy evicts nothing",
    remedy: 'raise its maxmemory, or use smaller or fewer values',
  },
  {
    name: 'READONLY',
    pattern: /\bREADONLY\b/,
    meaning: 'the server is a replica and accepts no writes',
    remedy: 'name its master instead',
  },
  {
    name: 'LOADING',
    pattern: /\bLOADING\b/,
    meaning: 'the server is still loading its data',
    remedy: 'wait until INFO persistence shows loading:0',
  },
  {
    name: 'WRONGPASS',
    pattern: /\bWRONGPASS\b|invalid password|invalid username/i,
    meaning: 'the server rejected the user name or password',
    remedy: "check the URL's user:password@ part",
  },
  {
    name: 'NOAUTH',
    pattern: /\bNOAUTH\b/,
    meaning: 'the server asks for a password',
    remedy: 'give it in the URL: redis://:PASSWORD@HOST',
  },
  {
    name: 'no password',
    pattern: /without any password configured|no password is set/,
    meaning: 'the server has no password',
    remedy: 'leave it out of the URL',
  },
  {
    name: 'NOPERM',
    pattern: /\bNOPERM\b/,
    meaning: 'the user may not do that',
    remedy: "name another user in the URL, or allow it: ACL SETUSER USER +COMMAND '~rpb:*'",
  },
  {
    name: 'MISCONF',
    pattern: /\bMISCONF\b/,
    meaning: 'the server cannot save to disk and therefore accepts no writes',
    remedy: 'free or repair the disk, or CONFIG SET stop-writes-on-bgsave-error no',
  },
  {
    name: 'BUSY',
    pattern: /\bBUSY\b/,
    meaning: 'the server is busy running a script',
    remedy: 'wait for it, or end it with SCRIPT KILL or FUNCTION KILL',
  },
  {
    name: 'CLUSTERDOWN',
    pattern: /\bCLUSTERDOWN\b|cluster is down/i,
    meaning: "nothing serves some of the cluster's slots",
    remedy: 'redis-cli --cluster check shows which, and redis-cli --cluster fix assigns it',
  },
  {
    name: 'MASTERDOWN',
    pattern: /\bMASTERDOWN\b/,
    meaning: 'the server is a replica that has lost its master',
    remedy: 'name the master instead, or restart it',
  },
  {
    name: 'NOREPLICAS',
    pattern: /\bNOREPLICAS\b/,
    meaning: 'the server has fewer replicas than it needs to accept writes',
    remedy: 'restart them, or CONFIG SET min-replicas-to-write 0',
  },
  {
    name: 'EADDRNOTAVAIL',
    pattern: /\bEADDRNOTAVAIL\b/,
    meaning: 'this machine has run out of local ports: each closed connection keeps its port for a minute',
    remedy: 'use --transport unix, fewer --iterations, or leave open-and-close out of --scenarios',
  },
  {
    name: 'EMFILE',
    pattern: /\bE[MN]FILE\b/,
    meaning: 'this process has too many open files and sockets',
    remedy: 'raise the limit with ulimit -n 65536, or use fewer --tasks',
  },
  {
    name: 'ECONNREFUSED',
    pattern: /\bECONNREFUSED\b/,
    meaning: 'nothing listens there any more',
    remedy: "see the server's log",
  },
  {
    name: 'out of memory',
    pattern: /heap out of memory|heap limit/i,
    meaning: 'the worker ran out of heap',
    remedy: 'use smaller values or fewer --tasks, or NODE_OPTIONS=--max-old-space-size=MEGABYTES',
  },
  {
    name: 'connection lost',
    pattern:
      /\bECONNRESET\b|\bEPIPE\b|connection (reset|error)|channel closed|(socket|connection|client) (is|was)? ?closed|socket disconnected/i,
    meaning: 'the server, or something in between, closed the connection',
    remedy: "see the server's log; CLIENT KILL, a timeout or a proxy does that",
  },
  {
    name: 'timeout',
    pattern: /\bETIMEDOUT\b|timed out|due to timeout|was aborted/i,
    meaning: 'no reply came within the time that the client waits',
    remedy: 'check whether the server or the network is overloaded',
  },
];

/** @param {string} text @returns {Cause | undefined} */
const causeOf = (text) => CAUSES.find(({ pattern }) => pattern.test(text));

/** @param {string} text @returns {string} its cause, else its error code (such as `ECONNRESET`), else the whole text */
export const nameOfCause = (text) =>
  causeOf(text)?.name ?? /^[A-Z][A-Z0-9_]{2,}(?=\s|:|$)/.exec(text)?.[0] ?? text;

/** @param {string} text @returns {string} with meaning and remedy added, if known and not already there */
export function withAdvice(text) {
  const cause = causeOf(text);
  if (cause === undefined) return text;
  const advice = `(${cause.meaning}; ${cause.remedy})`;
  return text.includes(advice) ? text : `${text} ${advice}`;
}
