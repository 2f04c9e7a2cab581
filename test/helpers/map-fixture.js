export const MAP_SUITE = {
  id: 'map',
  title: 'Where which choice wins',
  summary: 'for tests',
  options: {
    clients: ['redis:tuned', 'ioredis', 'redis'],
    poolSize: [3, 10],
    tasks: [1, 4, 16, 64, 256],
    rtt: ['0', '0.5ms', '2ms', '10ms'],
    budgetMs: 300_000,
  },
};
