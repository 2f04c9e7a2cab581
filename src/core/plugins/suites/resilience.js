export default {
  id: 'resilience',
  title: 'When it breaks under load',
  summary: 'each client with default and with careful settings, under five faults, in about 5 minutes',
  options: {
    // Clients that are not installed are skipped, and the report says so.
    clients: [
      'redis',
      'redis:tuned',
      'redis:careful',
      'ioredis',
      'ioredis:careful',
      'iovalkey',
      'iovalkey:careful',
      'valkey-glide',
      'valkey-glide:careful',
    ],
    fault: ['cut', 'half-open', 'stall:2s', 'restart', 'failover'],
    durationMs: 6000,
  },
};
