export default {
  id: 'resilience-sentinel',
  title: 'When Sentinels promote a replica under load',
  summary:
    'each client with default and with careful settings, while a primary dies, hangs or is replaced, in about 5 minutes',
  options: {
    // Clients that are not installed are skipped, and the report says so.
    clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful'],
    topology: 'sentinel',
    fault: ['failover:1s', 'stall:5s', 'switchover'],
    // Sentinels make an old primary a replica some 10 s later, and until then clients may still write to it.
    durationMs: 16000,
  },
};
