/** @import { SuitePlugin } from './types.js' */

/** @type {SuitePlugin[]} */
export default [
  {
    id: 'default',
    title: 'Ways to connect',
    summary: 'redis and ioredis in every connection scenario, 8 tasks, 1000-character keys and values',
    options: {},
  },
  {
    id: 'connection-use',
    title: 'Connections: open and close, pool, reuse',
    summary:
      'SET + GET of a JSON value for 5 s, by 1 task and by 3, on a new, a pooled and a shared connection',
    format: 'realtime',
    options: {
      scenarios: ['open-and-close', 'pool', 'shared-connection'],
      workload: ['set-get'],
      value: 'json',
      keySize: [10],
      valueSize: [100],
      tasks: [1, 3],
      durationMs: 5000,
      runs: 3,
    },
  },
  {
    id: 'distance',
    title: 'Where distance changes the choice',
    summary: 'three numbers of tasks, local and 0.5 and 2 ms away, in about 3 minutes',
    options: {
      clients: ['redis:tuned', 'ioredis', 'redis'],
      scenarios: ['shared-connection', 'connection-per-task', 'pool', 'open-and-close'],
      tasks: [1, 8, 64],
      rtt: ['0', '0.5ms', '2ms'],
      budgetMs: '3m',
    },
  },
  {
    id: 'implicit-pipelining',
    title: 'Implicit pipelining',
    summary:
      'serial and parallel SET + GET, batched not at all, by the client or by a window; one server and a cluster',
    format: 'go-bench',
    options: {
      clients: ['redis', 'redis:tuned', 'ioredis'],
      scenarios: ['shared-connection'],
      workload: ['set-get'],
      pipelining: ['none', 'implicit', 'auto', 'window:150', 'window:0'],
      topology: ['standalone', 'cluster'],
      size: [10],
      // One at a time, and enough at once that batches can form.
      tasks: [1, 64],
      // Eleven cells in a group make 55 comparisons: with three runs even large differences could not be claimed.
      runs: 5,
    },
  },
  {
    id: 'pipelining-test',
    title: 'Node Redis Pipelining Test',
    format: 'lines',
    summary: 'GET at three sizes and 2, 4 and 8 tasks: is it better to share a connection?',
    options: {
      scenarios: ['shared-connection', 'connection-per-task'],
      workload: ['get'],
      size: [10, 1000, 100_000],
      // All tasks read the same key, as in the original.
      keys: 1,
      tasks: [2, 4, 8],
      runs: 3,
      warmupRuns: 1,
      // The original's own counts: floor(1e9 / (30000 + 5 · size)), so that each size takes about as long.
      iterations: { budget: 1e9, perOperation: 30_000, perByte: 5 },
    },
  },
  {
    id: 'producer-consumer',
    title: 'Producer and consumer at a set rate',
    summary:
      'SET of sequential keys, EXISTS on the same, and both at once in two processes: 10k to 200k per second',
    options: {
      clients: ['raw', 'redis', 'redis:tuned', 'ioredis'],
      scenarios: ['shared-connection'],
      // The producer alone, the consumer alone, and one process each at the same time, half of the rate each.
      workload: ['set', 'exists', 'per-process:set,exists'],
      rate: [10_000, 50_000, 100_000, 200_000],
      keySize: [16],
      valueSize: [128],
      keys: 10_000,
      keyDistribution: 'sequential',
      tasks: [1],
      // Measured, node-redis at its limit: 363k a second with 500 in flight, 215k with 2000, 87k with 10,000,
      // where half of its time goes into collecting long-lived garbage.
      maxInFlight: [1000],
      durationMs: 5000,
      runs: 1,
    },
  },
  {
    id: 'transport-pipe-size',
    title: 'Transport and pipe size',
    summary:
      'stores 100,000 objects of 200 bytes over TCP and a unix socket, in pipes of 1, 5, 10 and without',
    format: 'objects',
    options: {
      // Clients that are not installed are skipped, and the report says so.
      clients: ['redis', 'redis:tuned', 'ioredis', 'iovalkey', 'valkey-glide', 'raw'],
      scenarios: ['shared-connection'],
      workload: ['hset'],
      transport: ['tcp', 'unix'],
      pipelining: ['none', 'explicit:1', 'explicit:5', 'explicit:10'],
      tasks: [1],
      keySize: [16],
      valueSize: [200],
      keys: 100_000,
      keyDistribution: 'sequential',
      iterations: 100_000,
      runs: 2,
    },
  },
];
