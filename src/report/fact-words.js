import { WORDS_OF_COMMANDS } from '../commands/words.js';
import { count } from '../numbers.js';
import { callsText, cpusText, duration, percent, said, whole } from './figures.js';

/** @import { NotAwake, PlacementNote } from '../machine/types.js' */
/** @import { SkipReason } from '../run/plan/types.js' */
/** @import { Fact, MemoryBound, Notice, RunWarning } from '../store/types.js' */

/**
 * @template {{kind: string}} Any
 * @typedef {{[Kind in Any['kind']]: (fact: Extract<Any, {kind: Kind}>) => string}} WordsOf a text for each kind
 */

/**
 * @param {Fact | string} fact a text is a plugin's own note, or that of an error
 * @returns {string} the same for the same fact, so that repeats can be merged
 */
export function factText(fact) {
  if (typeof fact === 'string') return fact;
  // A later release may know more kinds.
  return Object.hasOwn(WORDS, fact.kind) ? WORDS[fact.kind](fact) : fact.kind;
}

/** Where server and workers ran. @type {Record<PlacementNote['kind'], () => string>} */
const PLACEMENTS = {
  'pin-off': () => 'not pinned: the scheduler may move server and worker',
  'no-taskset': () =>
    'not pinned, because pinning needs Linux with taskset: figures vary more from run to run',
  'one-cpu': () => 'not pinned: only one CPU is allowed here, so server and worker share it',
  'server-unknown': () => 'not pinned: the server does not say which process of this machine it is',
  'server-elsewhere': () => 'not pinned: the external server is not visible as a process of this machine',
  'server-not-pinned': () => 'only the workers are pinned; the scheduler may move the external server',
};

/** Why a cell is skipped, and what helps. In a damaged file, lists may be missing. @type {Partial<WordsOf<SkipReason>>} */
const SKIPS = {
  'not-offered': ({ transport, offered = [] }) =>
    `${transport} is not available: the server was given by its ${offered.join(', ')} address`,
  'no-time': ({ budgetMs, needMs }) =>
    `no time left: one start of each cell needs about ${Math.ceil(needMs / 1000)} s, and --budget is ${Math.round(budgetMs / 1000)} s; give it more, or fewer cells`,
  'not-installed': (reason) => `not installed: npm install ${reason.package}`,
  'scenario-conflict': ({ own = [] }) => own.join(', '),
  'client-lacks': ({ client, own = [] }) => `${client} has ${own.join(', ')}`,
  'release-lacks': ({ client, version, what, since }) =>
    `${client} ${version} has no ${what}: that came with ${since}`,
  'computes-between': ({ workload, pipelining }) =>
    `${workload} computes between its commands, so ${pipelining} cannot batch them`,
  'requests-in-batches': ({ workload, pipelining }) =>
    `--way decides how ${workload} sends its commands, so ${pipelining} cannot batch them`,
  'few-keys': ({ workload = 'a request', keys, count: needed }) =>
    `${workload} needs ${count(needed, 'different key')}, but --keys is ${keys}; use more`,
  'way-for-keys': ({ workload = 'this workload', way, able = [] }) =>
    `${way} is not for ${workload}; use --way ${able.join(', ')}`,
  'of-one-node': ({ workload }) =>
    `${workload} sees the keys of one node only, and those of a cluster are on several`,
  'reads-own-replies': ({ workload }) =>
    `${workload} reads replies as strings; --replies is for workloads of single commands and requests`,
  'encodes-none': ({ workload }) =>
    `${workload} does not store and read whole values, which --encode is for; use get, set, mix, fetch, store or update`,
  'encoded-as-bytes': ({ encode }) => `${encode} is bytes, which --replies string would damage`,
  'cluster-over-unix': ({ topology }) =>
    `${topology === 'cluster' ? 'a cluster is' : 'what Sentinels watch is'} reached by host and port, not by a unix socket`,
  'external-standalone': () =>
    'with several topologies an external server counts as standalone; for a cluster use --topology cluster alone',
  'distance-over-unix': () => 'a unix socket has no distance; use --rtt with tcp or tls',
  'not-of-replicas': ({ workload = 'this workload', able = [] }) =>
    `a replica that is behind may answer ${workload} otherwise; --read-from is for ${able.join(', ')}`,
  'tasks-per-machine': ({ tasks, machines }) =>
    `${count(tasks, 'task')} cannot be shared by ${machines} machines: each needs one`,
  'low-max-in-flight': ({ limit, processes, batch }) =>
    `--max-in-flight ${limit} is too low for ${count(processes, 'process', 'processes')}${batch === null ? '' : ` with batches of ${batch}`}`,
  'too-many-files': ({ connections, files, enough }) =>
    `it needs ${count(connections, 'connection')} per process, but a process may open only ${count(files, 'file')} here; raise that with ulimit -n ${enough}`,
  'too-many-sockets': ({ sockets, files }) =>
    `the relay would need ${count(sockets, 'socket')}, but a process may open only ${count(files, 'file')} here; measure fewer cells at once, or raise that with ulimit -n`,
  'too-many-clients': ({ connections, closing = 0, before, free }) =>
    `it needs ${count(connections, 'connection')}${closing > 0 ? ` (${closing} of them just closed)` : ''}${before > 0 ? ` on top of the ${before} of other cells` : ''}, but the server has room for only ${free}; raise its maxclients by ${before + connections - free}, or use fewer --tasks${before > 0 ? ' or fewer cells at once' : ''}`,
};

/** The first screen has these: an option helps, or the figures are wrong. Others are only counted there. @type {Set<RunWarning['kind']>} */
export const URGENT = new Set([
  'app-work-off',
  'farther-than-asked',
  'part-of-recording',
  'processor-taken',
  'cache-miscounted',
  'command-miscounted',
  'commands-miscounted',
  'evicted',
  'empty-replies',
  'found-nothing',
  'no-info',
  'server-miscounts',
]);

/** What makes a run doubtful, and what helps. @type {Partial<WordsOf<RunWarning>>} */
const RUN_WARNINGS = {
  'no-info': ({ why }) =>
    why === 'uncounted'
      ? 'the server does not count commands, or its counters were reset during the run: it could not confirm them'
      : `${why === 'unknown' ? 'the server has no INFO' : 'the user may not call INFO (ACL SETUSER USER +info)'}: its figures are missing, and it could not confirm the commands`,
  'server-miscounts': ({ uncounted }) =>
    `the server did not count ${uncounted} of 100 commands of this tool either, so its counts prove nothing`,
  'cache-miscounted': ({ cached, claimed, missing }) =>
    `the client's cache claims to have served ${cached} of ${count(claimed, 'command')}, but ${whole(missing)} did not reach the server`,
  'command-miscounted': ({ command, claimed, counted }) =>
    `the run claims ${claimed} ${String(command).toUpperCase()}, the server counted ${counted}${counted > claimed ? ': another program is using this server' : ''}`,
  'commands-miscounted': ({ claimed, counted }) =>
    `the run claims ${count(claimed, 'command')}, the server counted ${whole(counted)}`,
  'other-commands': ({ commands = {} }) => `other commands ran on the server: ${callsText(commands)}`,
  'processor-taken': () => "something else used the worker's CPU: close other programs",
  'much-garbage': () => 'garbage collection took over 10 % of the run',
  'app-work-off': ({ more, beyondShare }) =>
    `the application's work took over ${percent(beyondShare)} ${more ? 'more' : 'less'} CPU than --app-work asks for (appWorkUsPerOp)`,
  crowded: ({ processes, cpus }) =>
    `${processes} worker processes shared ${count(cpus, 'CPU')}: latencies include the time they waited for each other`,
  'farther-than-asked': () =>
    'the relay was short of CPU: half of the round trips took over 5 % or 50 µs longer than --rtt asks for',
  'narrow-line': () =>
    'the relay was full for a while and stopped reading, so it limited bandwidth as well as adding delay',
  evicted: ({ keys }) => `the server evicted ${count(keys, 'key')} to free memory`,
  'empty-replies': ({ command, prepared }) =>
    prepared
      ? `every reply to ${command} was empty, although --prepare stored data: check that both name the same type and fields`
      : `every reply to ${command} was empty, as nothing was stored: add --prepare with what stores it, such as 'SET {key} {value}'`,
  'found-nothing': ({ command, empty, operations, reads }) =>
    `${whole(empty)} of ${whole(operations)} ${command} found nothing, ${reads ? 'because it was not stored, or removed: add --prepare' : 'because it was used up: add --prepare-each, or more --keys where --share is given'}`,
  'types-only': ({ command }) => `only the type of ${String(command).toUpperCase()} replies is checked`,
  stalled: ({ ms }) =>
    `no reply came for ${(ms / 1000).toFixed(1)} s: the server, the network or this machine stalled`,
};

/** @type {Record<NotAwake['reason'], (fact: any) => string>} */
const NOT_AWAKE = {
  system: () => 'only Linux has idle-priority processes',
  'not-pinned': () => 'server and workers are not pinned to CPUs',
  'server-elsewhere': () => 'the server is on another machine',
  'cpu-limit': ({ limitedTo }) => `that would use up the CPU limit of ${cpusText(limitedTo)}`,
  'no-program': ({ program }) => `${program} (util-linux) is not installed`,
  refused: ({ why }) => `idle-priority processes could not be started${why && `: ${why}`}`,
};

/** @param {{policy: string}} memory */
const whenFull = ({ policy }) =>
  policy === 'noeviction' ? 'refuse writes' : `evict keys (maxmemory-policy ${policy})`;

/** What limits a benchmark's memory. In older results, `freeBytes` is missing. @type {Record<MemoryBound, {short: string, ranOut: string, has: (memory: any) => string}>} */
const ROOMS = {
  maxmemory: {
    short: 'the server may run out of memory',
    ranOut: 'the server ran out of memory',
    has: (memory) =>
      `it uses ${megabytes(memory.usedBytes)} of its ${megabytes(memory.maxBytes)} (maxmemory). It would then ${whenFull(memory)}, also of others`,
  },
  unlimited: {
    short: "the server's machine may run out of memory",
    ranOut: 'the benchmark took all memory that it may take',
    has: ({ freeBytes }) =>
      `this benchmark may take ${megabytes(freeBytes)}, because the server has no maxmemory`,
  },
  machine: {
    short: 'this machine may run out of memory',
    ranOut: 'this machine ran short of memory',
    has: ({ freeBytes }) => `this benchmark may take ${megabytes(freeBytes)} of what is free`,
  },
  unknown: {
    short: 'the server may run out of memory',
    ranOut: 'the server may have run out of memory',
    has: ({ freeBytes }) =>
      `this benchmark may take ${megabytes(freeBytes)}, because the server does not report its memory`,
  },
};

/** A later release may know more. @param {MemoryBound} bound */
const roomWords = (bound) => ROOMS[bound] ?? ROOMS.unknown;

/** What is said of a whole benchmark, and what helps. @type {Partial<WordsOf<Notice>>} */
const NOTICES = {
  'option-unknown': ({ source, clients = [], option }) =>
    `${source}: '${option}' is not known to ${clients.join(', ')}`,
  'options-unchecked': ({ client, version, options = [] }) =>
    `${client}${version === null ? '' : ` ${version}`} declares no type for ${options.map((name) => `'${name}'`).join(', ')}: not checked`,
  'variant-partly': ({ client, version, variant, options = [] }) =>
    `${client} ${version} has no ${options.map((name) => `'${name}'`).join(', ')}: of ${client}:${variant} they do nothing there`,
  'memory-unknown': () =>
    'the server does not report its memory, so it may evict keys of other users; this benchmark stores at most 256 MB',
  'memory-small': ({ keys, valueSize, command, bytes, bound = 'maxmemory', ...memory }) => {
    const data = command === undefined ? `values of ${count(Number(valueSize), 'byte')}` : `'${command}'`;
    return `${roomWords(bound).short}: ${count(keys, 'key')} for ${data} may take ${megabytes(bytes)}, and ${roomWords(bound).has(memory)}`;
  },
  'no-room': ({ bytes, bound, ...memory }) =>
    `${roomWords(bound).ranOut}: the next operations need ${megabytes(bytes)}, and ${roomWords(bound).has(memory)}`,
  'memory-bounds-runs': ({ workload, operations, bytes }) =>
    `some runs of ${workload} ended after ${count(operations, 'operation')}: each stores up to ${count(bytes, 'byte')} more, and memory had room for no more`,
  'slow-prepare': ({ seconds }) => `storing the data by --prepare took ${seconds} s`,
  'command-grows': ({ command, bytes }) =>
    `'${command}' stores ${count(bytes, 'byte')} more each time, so its data grows until memory gets short: --prepare-each measures it on new data`,
  'certificate-unverified': ({ server }) =>
    `--tls-insecure: the certificate of ${server} was not verified; another server may have replied in its place`,
  'writes-copied': ({ aof, rdb, replicas }) =>
    `this server also copies the benchmark's data (${said([aof && 'AOF', rdb && 'RDB', replicas > 0 && count(replicas, 'replica')]).join(', ')}): the figures include that work, and others lose disk or network bandwidth`,
  'one-key': () => 'with only one key, replies to the wrong command would not be noticed; use more --keys',
  'few-processors': ({ server, threads, replicas, cpus }) =>
    `${server === null ? 'the server' : `the server '${server}'`} ${replicas === 0 ? `has ${count(threads, 'io-thread')} for ${count(cpus, 'CPU')}` : `shares ${count(cpus, 'CPU')} with ${count(replicas, 'replica')}`}: they wait for each other, so the gain from more CPUs does not show`,
  'group-in-turns': ({ cells, turns, freeBytes, mostProcesses: most }) =>
    `too ${most === null ? 'little memory' : 'few open files'} for workers of all ${cells} cells of a group (${most === null ? `${(freeBytes / 1e9).toFixed(1)} GB free` : `${most} processes at most`}), so they run in ${turns} turns; a disturbance may hit only one`,
  'import-lingers': ({ import: name, ms }) =>
    `${name} kept a process with nothing to do alive for ${(ms / 1000).toFixed(1)} s; workers are ended without waiting for it`,
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
    `waking one takes ${duration(Number(asIsUs))}${keptAwakeUs == null ? '' : `, ${duration(keptAwakeUs)} kept awake`}: with few commands in flight each waits for that, so a busier machine may have another order`,
  'not-kept-awake': (fact) =>
    `processors are not kept awake: ${NOT_AWAKE[fact.reason]?.(fact) ?? fact.reason}`,
  'cpu-limited': ({ setting, limitedTo, periods, throttled }) =>
    `a CPU limit of ${cpusText(limitedTo)} (${setting}) stopped server and workers in ${whole(throttled)} of ${whole(periods)} periods, which makes them slower`,
  'few-ports': ({ perMinute, ports }) =>
    `may run out of local ports: ${whole(perMinute)} connections per minute each keep one for a minute, and this machine has ${whole(ports)}; --transport unix needs none`,
  'waiting-for-ports': ({ taken, ports }) =>
    `waiting for free local ports: ${whole(taken)} of ${whole(ports)} are still taken`,
  unfinished: ({ torn, runs }) =>
    `${torn ? 'the last line of the file is torn' : 'the file has no closing line'}: the benchmark did not finish; it has ${count(runs, 'complete run')}`,
};

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** The words of all that is stored as a fact, by its kind. @type {Record<string, (fact: any) => string>} */
const WORDS = { ...SKIPS, ...PLACEMENTS, ...RUN_WARNINGS, ...NOTICES, ...WORDS_OF_COMMANDS };
