import { OF_MEASURING } from '../../options/option-table.js';

/** @import { CommandData } from '../types.js' */

const SHORT_MS = 150;

/** @param {number | null} ms */
const shorter = (ms) => ms && Math.min(ms, SHORT_MS);

/** Breaks something under a paced load and follows each operation. It needs servers of its own. @type {CommandData} */
export default {
  name: 'break',
  startsItsServers: true,
  title: 'When it breaks under load',
  takes: [
    ...OF_MEASURING,
    'scenarios',
    'way',
    'size',
    'keySize',
    'valueSize',
    'keys',
    'workload',
    'command',
    'share',
    'prepare',
    'tasks',
    'processes',
    'rate',
    'arrivals',
    'sloMs',
    'maxInFlight',
    'whenFull',
    'oneSlot',
    'durationMs',
    'fault',
    'idle',
    'faultAtMs',
  ],
  defaults: {
    fault: ['cut', 'half-open', 'stall:2s', 'restart'],
    workload: ['append'],
    clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful'],
    scenarios: ['shared-connection'],
    size: [100],
    // A service at a moderate rate, whose callers do not wait longer.
    rate: [2000],
    arrivals: 'poisson',
    sloMs: 100,
    runs: 1,
    starts: 1,
    warmupRuns: 0,
    profile: undefined,
  },
  help: {
    durationMs: 'how long operations begin in each run (default: 10s, or what its fault needs)',
    maxInFlight: 'most commands in flight (default: 1000000, and 1 GB)',
    runs: 'runs of each client under each fault',
    runTimeoutMs: 'when a run ends in which callers still wait (default: twice --duration)',
    sloMs: 'what takes longer is late; a client has recovered when 95 % of a second are in time',
    transport: 'tcp, unix, tls (default: tcp)',
  },
  plan: async () => (await import('./plan.js')).PLAN,
  ownOptions: async () => (await import('./options.js')).OPTIONS,
  worker: () => import('./worker.js'),
  run: () => import('./run.js'),
  report: () => import('./report.js'),
  settle: async (settings, asked) => (await import('./length.js')).withLengths(settings, asked),

  otherWorkload: (name, typed) =>
    `--workload: break cannot break '${name}'; '${typed}' measures it, without a fault`,

  // Enough for clients that reconnect soon.
  smoke: ({ fault, idle }) => ({
    runs: 1,
    durationMs: 600,
    fault: fault?.map((each) => ({ ...each, byMs: shorter(each.byMs), lastsMs: shorter(each.lastsMs) })),
    idle: idle && [...new Set(idle.map((each) => Math.min(each, 2 * SHORT_MS)))],
  }),
};
