import { OF_MEASURING, OF_RUNNING_SERVERS } from '../../options/option-table.js';

/** @import { CommandData } from '../types.js' */

/** Each operation is a fresh process with one connection, until its first reply. @type {CommandData} */
export default {
  name: 'cold',
  title: 'Cold start',
  takes: [...OF_MEASURING, ...OF_RUNNING_SERVERS, 'nodeBin', 'iterations', 'budgetMs', 'bundle'],
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
