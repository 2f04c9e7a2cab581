import { CAUSES_OF_COMMANDS } from './commands/words.js';

/**
 * Clients word the same error differently, so failed operations are counted by the name of their cause.
 * @typedef {{name: string, pattern: RegExp, hint?: string}} Cause a hint only where the text proves the cause, and only
 *   what is known to help; $1 is what the pattern captured
 */

/** An error reply begins with its code; GLIDE puts other text before it. @param {string} code */
const reply = (code) => new RegExp(`(?:^|: -?|[\`(])${code}(?=[: ]|$)`);

/** Begins the text of an error that no operation met, but the check of all connections that follows a run. */
export const CHECK_FAILED = 'the check after the run failed: ';

/** The first match counts. @type {Cause[]} */
const CAUSES = [
  ...CAUSES_OF_COMMANDS,
  {
    name: 'bound reached',
    pattern: /it hit --max-in-flight/,
    hint: 'more operations were due than --max-in-flight allows, and --when-full is fail; use a lower --rate, a larger --max-in-flight, or --when-full wait or drop',
  },
  {
    name: 'max clients',
    pattern: /\bmax number of clients reached/,
    hint: 'the server accepts no more connections; raise its maxclients, or use fewer --tasks or fewer connections for them',
  },
  {
    name: 'slots cache',
    pattern: /Failed to refresh slots cache: timeout/,
    hint: 'a node of the cluster did not say in time which slots it has (1 s by default); give the client more: ioredis{slotsRefreshTimeout:5000}',
  },
  {
    name: 'WRONGPASS',
    pattern: new RegExp(`${reply('WRONGPASS').source}|\\bERR invalid password`),
    hint: "the server rejected the user name or password; check the URL's user:password@ part",
  },
  {
    name: 'no password',
    pattern: /called without any password configured|Client sent AUTH, but no password is set/,
    hint: 'the server has no password; leave it out of the URL',
  },
  {
    name: 'NOPERM',
    pattern: /no permissions to run the '([\w|-]+)' command/,
    hint: 'name another user in the URL, or allow it: ACL SETUSER USER +$1',
  },
  ...Object.entries({
    OOM: "the server's memory is full, and its policy evicts nothing; raise its maxmemory, or use smaller or fewer values",
    READONLY: 'the server is a replica and accepts no writes; name its master instead',
    LOADING: 'the server is still loading its data; wait until INFO persistence shows loading:0',
    NOAUTH:
      "the server asks for a password; put it into the URL before the host, or a socket's path, as :PASSWORD@",
    NOPERM: "the user may not do that; the keys of this tool begin with 'rpb:'",
    MISCONF: 'the server cannot save to disk and therefore accepts no writes; its log says why',
    BUSY: undefined,
    CLUSTERDOWN: 'redis-cli --cluster check shows what is wrong',
    MASTERDOWN: 'the server is a replica that has lost its master; name the master instead',
    NOREPLICAS:
      'the server has fewer replicas than its min-replicas-to-write, and therefore accepts no writes',
  }).map(([name, hint]) => ({ name, hint, pattern: reply(name) })),
  {
    name: 'EADDRNOTAVAIL',
    pattern: /\bEADDRNOTAVAIL\b/,
    hint: 'this machine has run out of local ports: each closed connection keeps its port for a minute; use --transport unix, fewer --iterations, or leave open-and-close out of --scenarios',
  },
  {
    name: 'EMFILE',
    pattern: /\bEMFILE\b/,
    hint: 'this process has too many open files and sockets; raise the limit with ulimit -n 65536, or use fewer --tasks',
  },
  { name: 'ECONNREFUSED', pattern: /\bECONNREFUSED\b/ },
  {
    name: 'out of memory',
    pattern: /heap out of memory|heap limit/i,
    hint: 'the worker ran out of heap; use smaller values or fewer --tasks, or NODE_OPTIONS=--max-old-space-size=MEGABYTES',
  },
  {
    name: 'connection lost',
    pattern:
      /\bECONNRESET\b|\bEPIPE\b|connection (reset|error)|channel closed|(socket|connection|client) (is|was)? ?closed|socket disconnected/i,
  },
  {
    name: 'timeout',
    pattern: /\bETIMEDOUT\b|timed out|due to timeout|was aborted|(?:^|: )\w*TimeoutError$/i,
  },
];

/** @param {string} text */
function causeOf(text) {
  for (const { name, pattern, hint } of CAUSES) {
    const found = pattern.exec(text);
    if (found) return { name, advice: hint && `(${hint.replace('$1', found[1] ?? '')})` };
  }
}

/** @param {string} text @returns {string} its cause, else its error code (such as `ECONNRESET`), else the whole text */
export const nameOfCause = (text) =>
  causeOf(text)?.name ?? /^[A-Z][A-Z0-9_]{2,}(?=\s|:|$)/.exec(text)?.[0] ?? text;

/** @param {string} text @returns {string} with the hint added, if there is one and it is not already there */
export function withAdvice(text) {
  const { advice = '' } = causeOf(text) ?? {};
  return text.includes(advice) ? text : `${text} ${advice}`;
}
