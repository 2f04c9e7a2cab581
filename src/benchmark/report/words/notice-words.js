import { count } from '../../../axes/number-words.js';
import { cpusText, duration, joined, said, whole } from '../../../core/report/figures.js';
import { REPLAY_WORDS } from '../../../traffic/replay-words.js';

/** @import { Notice } from '../../../core/store/types.js' */
/** @import { WordsOf } from './fact-words.js' */

/** @type {Record<import('../../../core/machine/types.js').NotAwake['reason'], (fact: any) => string>} */
const NOT_AWAKE = {
  system: () => 'only Linux has idle-priority processes',
  'not-pinned': () => 'server and workers are not pinned to CPUs',
  'server-elsewhere': () => 'the server is on another machine',
  'cpu-limit': ({ limitedTo }) => `that would use up the CPU limit of ${cpusText(limitedTo)}`,
  'no-program': ({ program }) => `${program} (util-linux) is not installed`,
  refused: ({ why }) => `idle-priority processes could not be started${why && `: ${why}`}`,
};

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** @param {Extract<Notice, {kind: 'memory-small'}>} fact */
function memoryText({ keys, keySize, valueSize, command, bytes, usedBytes, maxBytes, policy }) {
  const data =
    command === undefined
      ? `${count(keys, 'key')}${keySize ? ` of ${keySize}` : ''} with ${keys === 1 ? 'a value' : 'values'} of ${valueSize} bytes`
      : `${count(keys, 'key')} for '${command}'`;
  const consequence = policy === 'noeviction' ? 'refuse writes' : `evict keys (maxmemory-policy ${policy})`;
  return `the server may run out of memory: ${data} may take up to ${megabytes(bytes)}, and ${megabytes(usedBytes)} of its ${megabytes(maxBytes)} (maxmemory) are used. It would then ${consequence}, also for its other users`;
}

/** @param {Extract<Notice, {kind: 'few-processors'}>} fact */
function processorsText({ server, threads, replicas, cpus }) {
  const name = server === null ? 'the server' : `the server '${server}'`;
  const what =
    replicas === 0
      ? `has ${threads} io-threads but only ${count(cpus, 'CPU')}`
      : `and its ${replicas === 1 ? 'replica' : 'replicas'} share ${count(cpus, 'CPU')}`;
  return `${name} ${what}: they wait for each other, so the gain from more CPUs does not show`;
}

/** @param {Extract<Notice, {kind: 'writes-copied'}>} fact */
function copiesText({ aof, rdb, replicas }) {
  const copies = said([
    aof && 'to its append-only file (AOF)',
    rdb && 'into its snapshots (RDB)',
    replicas > 0 && `to ${replicas === 1 ? 'its replica' : `its ${replicas} replicas`}`,
  ]);
  return `this server also writes the benchmark's data ${joined(copies)}; the figures include that work, and its other users lose disk or network bandwidth`;
}

/** What is said of a whole benchmark, and what helps. @type {WordsOf<Notice>} */
export const NOTICE_WORDS = {
  ...REPLAY_WORDS,
  'option-unknown': ({ source, clients = [], option }) =>
    `${source}: ${joined(clients)} ${clients.length === 1 ? 'does' : 'do'} not know '${option}'`,
  'agent-node': ({ agent, node, here }) => `${agent} runs Node ${node}, this machine ${here}`,
  'agent-package': (fact) =>
    `${fact.agent} has ${fact.package} ${fact.version}, this machine ${fact.here ?? 'none'}`,
  'agent-silent': ({ agent }) =>
    `the agent ${agent} does not reply and is left out; 'redis-pipe-bench agents clean' removes its traces`,
  'agent-refuses': ({ why }) => `skipped at the control Redis: ${why}`,
  'memory-unknown': () =>
    'the maxmemory of the server is unknown: it may evict keys of other users to make room for this benchmark',
  'memory-small': memoryText,
  'command-grows': ({ command, bytes }) =>
    `'${command}' stores ${bytes} bytes more each time: a long benchmark may fill the server's maxmemory`,
  'certificate-unverified': ({ server }) =>
    `--tls-insecure: the certificate of ${server} was not verified; another server may have replied in its place`,
  'writes-copied': copiesText,
  'one-key': () => 'with only one key, replies to the wrong command would not be noticed; use more --keys',
  'few-processors': processorsText,
  'group-in-turns': ({ cells, turns, freeBytes, mostProcesses }) =>
    `this machine cannot hold workers for all ${cells} cells of a group (${(freeBytes / 1e9).toFixed(1)} GB free${mostProcesses === null ? '' : `, files for ${mostProcesses} processes`}), so they run in ${turns} turns. A disturbance may hit only one turn`,
  'keys-unremembered': ({ why }) =>
    `if this process is killed, its keys cannot be removed later: ${why ?? 'this user has no home folder'}`,
  'keys-left': ({ prefix, why }) =>
    `keys that start with '${prefix}' may be left on the server: ${why}; the next benchmark on it removes them, or 'redis-pipe-bench clean' with the same --url or --socket`,
  'old-keys-left': ({ prefix, why }) =>
    `an earlier benchmark left keys that start with '${prefix}', which could not be removed: ${why}`,
  'old-keys-removed': ({ keys }) =>
    `removed ${count(keys, 'key')} that an earlier benchmark left when it was killed`,
  'distance-unmeasured': ({ why }) => `the distance could not be measured: ${why}`,
  'wake-up': ({ asIsUs, keptAwakeUs }) =>
    `a wake-up takes ${duration(Number(asIsUs))} here${keptAwakeUs == null ? '' : `, ${duration(keptAwakeUs)} kept awake`}`,
  'not-kept-awake': (fact) =>
    `processors are not kept awake: ${NOT_AWAKE[fact.reason]?.(fact) ?? fact.reason}`,
  'cpu-limited': ({ setting, limitedTo, periods, throttled }) =>
    `a CPU limit of ${cpusText(limitedTo)} (${setting}) stopped server and workers in ${whole(throttled)} of ${whole(periods)} periods, which makes them slower`,
  'few-ports': ({ perMinute, ports }) =>
    `may run out of local ports: ${whole(perMinute)} connections per minute each keep one for a minute, and this machine has ${whole(ports)}; --transport unix needs none`,
  'waiting-for-ports': ({ taken, ports }) =>
    `waiting for free local ports: ${whole(taken)} of ${whole(ports)} are still taken`,
  'no-profile': ({ why }) => `no profile: ${why}`,
  'no-inspector': ({ node }) => `no profiles: Node ${node} was built without the inspector`,
  'profile-not-kept': ({ cell, why }) => `the profile of ${cell} is not kept: ${why}`,
  unfinished: ({ torn, runs }) =>
    `${torn ? 'the last line of the file is torn' : 'the file has no closing line'}: the benchmark did not finish; it has ${count(runs, 'complete run')}`,
};
