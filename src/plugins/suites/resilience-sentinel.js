export default {
  id: 'resilience-sentinel',
  title: 'When Sentinels promote a replica under load',
  summary:
    'each client with default and with careful settings, while a primary dies, hangs or loses its network, in about 8 minutes',
  options: {
    // Clients that are not installed are skipped, and the report says so.
    clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful'],
    topology: 'sentinel',
    fault: ['failover:1s', 'stall:5s', 'switchover', 'split:5s', 'isolate:5s'],
    // Sentinels make an old primary a replica some 10 s later, and until then clients may still write to it.
    durationMs: 16000,
  },
};
