/** @import { PlacementNote } from '../../src/machine/types.js' */
/** @import { SkipReason } from '../../src/plan/types.js' */
/** @import { Fact, RunWarning } from '../../src/results/types.js' */

/** @template {Fact} Of @typedef {{[Kind in Of['kind']]: Extract<Of, {kind: Kind}>}} Examples */

/** @type {Examples<SkipReason>} */
const SKIPS = {
  'not-offered': { kind: 'not-offered', transport: 'unix', offered: ['tcp'] },
  'not-installed': { kind: 'not-installed', package: 'ioredis' },
  'scenario-conflict': { kind: 'scenario-conflict', own: ['at most 3 pairs on this machine'] },
  'client-lacks': { kind: 'client-lacks', client: 'raw', own: ['no tls', 'no cluster'] },
  'release-lacks': {
    ...{ kind: 'release-lacks', client: 'redis', version: '4.7.1' },
    ...{ what: 'tuned', since: '5.6.0' },
  },
  'no-recorded-times': { kind: 'no-recorded-times', workload: 'get' },
  'computes-between': { kind: 'computes-between', workload: 'checkout', pipelining: 'explicit' },
  'cluster-over-unix': { kind: 'cluster-over-unix' },
  'external-standalone': { kind: 'external-standalone' },
  'load-beside-messages': { kind: 'load-beside-messages' },
  'messages-held-back': { kind: 'messages-held-back', pipelining: 'explicit' },
  'distance-over-unix': { kind: 'distance-over-unix' },
  'fault-of-managed': { kind: 'fault-of-managed', fault: 'stall' },
  'fault-with-agents': { kind: 'fault-with-agents' },
  'fault-of-single': { kind: 'fault-of-single', fault: 'oom', able: ['cut', 'stall', 'failover'] },
  'fault-over-unix': { kind: 'fault-over-unix', fault: 'cut' },
  'fault-in-batches': { kind: 'fault-in-batches', pipelining: 'explicit:10' },
  'fault-rate': { kind: 'fault-rate', most: 20_000 },
  'writes-unnumbered': { kind: 'writes-unnumbered', able: ['set', 'set-get', 'mix'] },
  'values-too-short': { kind: 'values-too-short', least: 16 },
  'tasks-per-machine': { kind: 'tasks-per-machine', tasks: 1, machines: 2 },
  'low-max-in-flight': { kind: 'low-max-in-flight', limit: 10, processes: 2, batch: 20 },
  'too-many-files': { kind: 'too-many-files', connections: 200, files: 200, enough: 512 },
  'too-many-sockets': { kind: 'too-many-sockets', sockets: 2000, files: 1024 },
  'too-many-clients': { kind: 'too-many-clients', connections: 8, before: 10, free: 10 },
};

/** @type {Examples<PlacementNote>} */
const PLACEMENTS = {
  'pin-off': { kind: 'pin-off' },
  'no-taskset': { kind: 'no-taskset' },
  'one-cpu': { kind: 'one-cpu' },
  'server-elsewhere': { kind: 'server-elsewhere' },
  'server-not-pinned': { kind: 'server-not-pinned' },
};

/** @type {Examples<RunWarning>} */
const RUN_WARNINGS = {
  'no-info': { kind: 'no-info' },
  'cache-miscounted': { kind: 'cache-miscounted', cached: 900, claimed: 1000, missing: 950 },
  'command-miscounted': { kind: 'command-miscounted', command: 'get', claimed: 1000, counted: 1020 },
  'commands-miscounted': { kind: 'commands-miscounted', claimed: 1000, counted: 990 },
  'other-commands': { kind: 'other-commands', commands: { keys: 2, hgetall: 40 } },
  'processor-taken': { kind: 'processor-taken' },
  'much-garbage': { kind: 'much-garbage' },
  'app-work-off': { kind: 'app-work-off', more: true, beyondShare: 0.1 },
  crowded: { kind: 'crowded', processes: 4, cpus: 2 },
  stalled: { kind: 'stalled', ms: 3200 },
  'started-apart': { kind: 'started-apart', ms: 100, beyondShare: 0.05 },
  'own-tail': { kind: 'own-tail', name: 'load-1', times: 2 },
  'late-company': { kind: 'late-company', name: 'GET 1mb @ 20/s' },
  'part-of-recording': { kind: 'part-of-recording' },
  'farther-than-asked': { kind: 'farther-than-asked' },
  'narrow-line': { kind: 'narrow-line' },
  'late-fault': { kind: 'late-fault', ms: 120 },
  evicted: { kind: 'evicted', keys: 12 },
};

/** An example of everything that is stored as a fact, by where it is told. @type {Record<string, Record<string, Fact>>} */
export const FACTS = {
  'why a cell is skipped': SKIPS,
  'where server and workers ran': PLACEMENTS,
  'warnings of a run': RUN_WARNINGS,
};
