export default {
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
};
