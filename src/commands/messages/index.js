/** @import { CommandData } from '../../options/types.js' */

/** Sends messages and receives them, here or in another process. @type {CommandData} */
export default {
  name: 'messages',
  title: 'Messages',
  takes: [
    ...['clients', 'config', 'scenarios', 'transport', 'server', 'serverConfig', 'serverBin', 'nodeBin'],
    ...['workload', 'size', 'keySize', 'valueSize', 'tasks', 'processes', 'agents', 'machines', 'queueToken'],
    ...['rate', 'arrivals', 'maxInFlight', 'whenFull', 'maxInFlightBytes'],
    ...['topology', 'clusterNodes', 'oneSlot', 'rtt', 'jitter'],
    ...['url', 'socket', 'sentinel', 'masterName', 'allowEviction'],
    ...['tlsCa', 'tlsCert', 'tlsKey', 'tlsInsecure', 'tlsServername'],
    ...['iterations', 'durationMs', 'runTimeoutMs', 'budgetMs', 'runs', 'warmupRuns', 'seed', 'pin', 'smoke'],
  ],
  workloads: ['queue', 'stream', 'publish'],
  defaults: {
    workload: ['queue', 'stream', 'publish'],
    clients: ['redis', 'redis:tuned', 'ioredis'],
    scenarios: ['shared-connection'],
    size: [100],
    durationMs: 500,
    runs: 5,
    profile: undefined,
  },
  help: {
    durationMs: 'how long messages are sent in each run',
    runs: 'timed runs of each cell, each with processes of its own',
    warmupRuns: 'before each run, so many times 300 ms that do not count',
  },
  run: () => import('./run.js'),
  report: () => import('./report.js'),
  fleet: () => import('../agents/fleet.js'),
  smoke: () => ({ runs: 2, durationMs: 50 }),
};
