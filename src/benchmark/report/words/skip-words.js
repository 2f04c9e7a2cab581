import { count } from '../../../axes/number-words.js';
import { joined, whole } from '../../../core/report/figures.js';

/** @import { PlacementNote } from '../../../core/machine/types.js' */
/** @import { SkipReason } from '../../../core/plan/types.js' */
/** @import { WordsOf } from './fact-words.js' */

/** Where server and workers ran. @type {Record<PlacementNote['kind'], () => string>} */
export const PLACEMENT_WORDS = {
  'pin-off': () => 'not pinned: the scheduler may move server and worker',
  'no-taskset': () =>
    'not pinned, because pinning needs Linux with taskset: figures vary more from run to run',
  'one-cpu': () => 'not pinned: only one CPU is allowed here, so server and worker share it',
  'server-unknown': () => 'not pinned: the server does not say which process of this machine it is',
  'server-elsewhere': () => 'not pinned: the external server is not visible as a process of this machine',
  'server-not-pinned': () => 'only the workers are pinned; the scheduler may move the external server',
};

/** Why a cell is skipped, and what helps. In a damaged file, lists may be missing. @type {WordsOf<SkipReason>} */
export const SKIP_WORDS = {
  'not-offered': ({ transport, offered = [] }) =>
    `${transport} is not available: the server was given by its ${joined(offered)} address`,
  'no-time': ({ budgetMs, needMs }) =>
    `no time left: one start of each cell needs about ${Math.ceil(needMs / 1000)} s, and --budget is ${Math.round(budgetMs / 1000)} s`,
  'not-installed': (reason) => `not installed: npm install ${reason.package}`,
  'scenario-conflict': ({ own = [] }) => own.join(', '),
  'client-lacks': ({ client, own = [] }) => `${client} has ${joined(own)}`,
  'release-lacks': ({ client, version, what, since }) =>
    `${client} ${version} has no ${what}: that came with ${since}`,
  'no-recorded-times': ({ workload }) => `--speed replays recorded times, and ${workload} has none`,
  'computes-between': ({ workload, pipelining }) =>
    `${workload} computes between its commands, so ${pipelining} cannot batch them`,
  'requests-in-batches': ({ workload, pipelining }) =>
    `--way decides how ${workload} sends its commands, so ${pipelining} cannot batch them`,
  'few-keys': ({ keys, count: needed }) =>
    `a request needs ${needed} different keys, but there are ${keys}; use more --keys`,
  'way-for-keys': ({ way, able = [] }) =>
    `${way} codes requests of several keys; a sequence of commands is coded by ${joined(able, 'or')}`,
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
  'messages-held-back': ({ pipelining }) =>
    `messages are sent one by one, but ${pipelining} delays or joins commands`,
  'distance-over-unix': () => 'a unix socket has no distance; use --rtt with tcp or tls',
  'only-with-fault': ({ workload }) => `${workload} is for --fault alone; choose another --workload`,
  'not-with-fault': ({ workload }) =>
    `--fault follows single commands and requests, not ${workload}; use --workload append, set, get or another`,
  'fault-keys': ({ keys, most }) =>
    `each operation needs keys of its own, ${whole(keys)} in all, and ${whole(most)} is the most; use a lower --rate or a shorter --duration`,
  'fault-of-managed': ({ fault }) =>
    `'${fault}' is only injected into a managed server, never into yours; leave out --url, --socket or --sentinel, or use cut, half-open, idle-drop, idle-reset, slow or freeze`,
  'fault-with-agents': () => '--fault needs workers, relay and server on one machine; leave --agents out',
  'fault-of-single': ({ fault, able = [], topology }) =>
    `'${fault}' needs a single server; ${topology === 'cluster' ? 'a cluster' : 'a primary behind Sentinels'} can have ${joined(able, 'or')}`,
  'fault-of-sentinels': ({ fault }) => `'${fault}' is ordered of Sentinels; use --topology sentinel`,
  'fault-over-unix': ({ fault }) =>
    `'${fault}' needs a relay, which unix sockets do not support; use tcp or tls`,
  'fault-in-batches': ({ pipelining }) =>
    `--fault tracks each operation, but a batch (${pipelining}) fails as one; use implicit, auto, none or window`,
  'fault-idle': ({ fault }) => `'${fault}' strikes connections that are idle for longer; add a longer --idle`,
  'fault-rate': ({ most }) => `--fault tracks each operation, so --rate may be at most ${most}`,
  'not-of-replicas': ({ able = [] }) =>
    `--read-from needs a workload whose replies are right on a replica that is behind: ${joined(able, 'or')}`,
  'tasks-per-machine': ({ tasks, machines }) =>
    `${count(tasks, 'task')} cannot be shared by ${machines} machines: each needs one`,
  'low-max-in-flight': ({ limit, processes, batch }) =>
    `--max-in-flight ${limit} is too low for ${count(processes, 'process', 'processes')}${batch === null ? '' : ` with batches of ${batch}`}`,
  'too-many-files': ({ connections, files, enough }) =>
    `it needs ${count(connections, 'connection')} per process, but a process may open only ${count(files, 'file')} here; raise that with ulimit -n ${enough}`,
  'too-many-sockets': ({ sockets, files }) =>
    `the relay would need ${count(sockets, 'socket')}, but a process may open only ${count(files, 'file')} here; measure fewer cells at once, or raise that with ulimit -n`,
  'too-many-clients': ({ connections, before, free }) =>
    `it needs ${count(connections, 'connection')}${before > 0 ? ` on top of the ${before} of other cells` : ''}, but the server has room for only ${free}; raise its maxclients, or measure fewer cells at once`,
};
