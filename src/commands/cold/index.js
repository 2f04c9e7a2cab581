/** @import { CommandData } from '../../options/types.js' */

/** Each operation is a fresh process with one connection, until its first reply. @type {CommandData} */
export default {
  name: 'cold',
  title: 'Cold start',
  takes: [
    ...['clients', 'config', 'transport', 'server', 'serverConfig', 'serverBin', 'nodeBin'],
    ...[
      'topology',
      'clusterNodes',
      'rtt',
      'jitter',
      'url',
      'socket',
      'sentinel',
      'masterName',
      'allowEviction',
    ],
    ...['tlsCa', 'tlsCert', 'tlsKey', 'tlsInsecure', 'tlsServername'],
    ...['iterations', 'runTimeoutMs', 'budgetMs', 'runs', 'seed', 'pin', 'smoke'],
  ],
  defaults: {
    workload: ['cold-start'],
    clients: ['redis', 'ioredis'],
    scenarios: ['shared-connection'],
    tasks: [1],
    keys: 64,
    keyDistribution: 'sequential',
    iterations: 5,
    runs: 5,
    starts: 1,
    warmupRuns: 0,
    profile: undefined,
  },
  help: {
    iterations: 'processes that are started in each run',
    runs: 'runs of each cell',
  },
  plan: async () => ({
    skip: ({ bundle }, _, { packages }) =>
      bundle === 'esbuild' && !packages.esbuild ? { kind: 'not-installed', package: 'esbuild' } : null,
    needs: ({ bundle }) => ({ capabilities: bundle === 'esbuild' ? ['bundling'] : [] }),
  }),
  ownOptions: async () => (await import('./options.js')).OPTIONS,
  run: () => import('./run.js'),
  report: () => import('./report.js'),
  smoke: () => ({ runs: 2, iterations: 1 }),
};
