export default {
  id: 'transport-pipe-size',
  title: 'Transport and pipe size',
  summary: 'stores 100,000 objects of 200 bytes over TCP and a unix socket, in pipes of 1, 5, 10 and without',
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
  // The original's own count.
  full: { keys: 1_000_000, iterations: 1_000_000 },
};
