/**
 * What the errors mean that servers, clients and systems answer with, and what to do about each.
 *
 * Clients tell of the same thing in different words; a cause is the one short name by which failed
 * operations are counted. The first entry that fits is taken.
 *
 * @typedef {object} Cause
 * @property {string} name
 * @property {RegExp} pattern of the error's text
 * @property {string} meaning
 * @property {string} remedy
 */

/** @type {Cause[]} */
export const CAUSES = [
  {
    name: 'bound reached',
    pattern: /the bound of --max-in-flight/,
    meaning: 'more was due than may be under way, and --when-full says fail',
    remedy: 'use a lower --rate, a larger --max-in-flight, or --when-full wait or drop',
  },
  {
    name: 'max clients',
    pattern: /max number of clients/i,
    meaning: 'the server takes no more connections',
    remedy: 'raise its maxclients, or use fewer --tasks or fewer connections for them',
  },
  {
    name: 'OOM',
    pattern: /\bOOM\b/,
    meaning: "the server's memory is full, and its policy drops nothing",
    remedy: 'raise its maxmemory, or use smaller or fewer values',
  },
  {
    name: 'READONLY',
    pattern: /\bREADONLY\b/,
    meaning: 'the server is a replica that takes no writes',
    remedy: 'name its master instead',
  },
  {
    name: 'LOADING',
    pattern: /\bLOADING\b/,
    meaning: 'the server is still loading its data',
    remedy: 'wait until INFO persistence says loading:0',
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
    meaning: 'the server cannot save to its disk, and so takes no writes',
    remedy: 'free or mend the disk, or CONFIG SET stop-writes-on-bgsave-error no',
  },
  {
    name: 'BUSY',
    pattern: /\bBUSY\b/,
    meaning: 'the server is held up by a script',
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
    remedy: 'name the master instead, or bring it back',
  },
  {
    name: 'NOREPLICAS',
    pattern: /\bNOREPLICAS\b/,
    meaning: 'the server has fewer replicas than it needs for taking writes',
    remedy: 'bring them back, or CONFIG SET min-replicas-to-write 0',
  },
  {
    name: 'EADDRNOTAVAIL',
    pattern: /\bEADDRNOTAVAIL\b/,
    meaning: 'this machine has no local port left: each closed connection keeps its own for a minute',
    remedy: 'use --transport unix, fewer --iterations, or leave open-and-close out of --scenarios',
  },
  {
    name: 'EMFILE',
    pattern: /\bE[MN]FILE\b/,
    meaning: 'no more files or sockets may be open here',
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
    meaning: 'the worker held more than its heap may hold',
    remedy: 'use smaller values or fewer --tasks, or NODE_OPTIONS=--max-old-space-size=MEGABYTES',
  },
  {
    name: 'connection lost',
    pattern:
      /\bECONNRESET\b|\bEPIPE\b|connection (reset|error)|channel closed|(socket|connection|client) (is|was)? ?closed|socket disconnected/i,
    meaning: 'the server, or something on the way to it, closed the connection',
    remedy: "see the server's log; CLIENT KILL, a timeout or a proxy does that",
  },
  {
    name: 'timeout',
    pattern: /\bETIMEDOUT\b|timed out|due to timeout|was aborted/i,
    meaning: 'no answer came in the time that the client waits',
    remedy: 'see whether server and network are overloaded',
  },
];

/**
 * @param {string} text of an error
 * @returns {Cause | undefined}
 */
const causeOf = (text) => CAUSES.find(({ pattern }) => pattern.test(text));

/**
 * @param {string} text of an error
 * @returns {string} the name under which it is counted: of its cause, else its own first word where
 *   that is a code (as Redis and Node have them), else all of it
 */
export const nameOfCause = (text) =>
  causeOf(text)?.name ?? /^[A-Z][A-Z0-9_]{2,}(?=\s|:|$)/.exec(text)?.[0] ?? text;

/**
 * @param {string} text of an error
 * @returns {string} the same with what it means and what to do, where that is known and not said yet
 */
export function withAdvice(text) {
  const cause = causeOf(text);
  if (cause === undefined) return text;
  const advice = `(${cause.meaning}; ${cause.remedy})`;
  return text.includes(advice) ? text : `${text} ${advice}`;
}
