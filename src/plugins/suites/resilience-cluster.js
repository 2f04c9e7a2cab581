export default {
  id: 'resilience-cluster',
  title: 'When a cluster changes under load',
  summary:
    'each client with default and with careful settings, while slots and nodes move, in about 8 minutes',
  options: {
    // Clients that are not installed are skipped, and the report says so.
    clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful', 'valkey-glide', 'valkey-glide:careful'],
    topology: 'cluster',
    fault: ['slots:100:500ms', 'join:1s', 'leave:1s', 'promote', 'failover:500ms', 'dead-seed'],
    // node-redis asks for the slots again 5 s after a node is gone.
    durationMs: 8000,
    faultAtMs: 1000,
  },
};
