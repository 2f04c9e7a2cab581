export default {
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
};
