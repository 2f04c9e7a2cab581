/** @import { Job } from '../../src/worker/types.js' */

/** @param {Partial<Job>} own @returns {any} a Job: 8 tasks that GET 64 keys of 20 characters, with what is its own */
export const jobOf = (own) => ({
  command: 'benchmark',
  entry: null,
  variant: 'default',
  client: 'redis',
  scenario: 'shared-connection',
  scenarioOptions: /** @type {any} */ ({}),
  pipelining: { id: 'implicit', parameter: null },
  workload: { id: 'get', parameter: null },
  tasks: 8,
  appWorkUs: 0,
  keySize: 20,
  valueSize: 20,
  shortestValue: 20,
  value: 'text',
  keys: 64,
  ownSizes: [],
  keyDistribution: 'sequential',
  seed: 1,
  latency: false,
  // GLIDE gives up after 250 ms, which a busy machine takes without any fault.
  clientOptions: own.client === 'valkey-glide' ? { requestTimeout: 10_000 } : {},
  load: null,
  part: { index: 0, count: 1 },
  keyPrefix: 'rpb:test',
  oneSlot: false,
  target: /** @type {any} */ (null),
  runIds: null,
  removal: ['DEL'],
  ...own,
});
