export default {
  id: 'connection-use',
  title: 'Connections: open and close, pool, reuse',
  summary:
    'SET + GET of a JSON value for 5 s, by 1 task and by 3, on a new, a pooled and a shared connection',
  format: 'realtime',
  options: {
    scenarios: ['open-and-close', 'pool', 'shared-connection'],
    workload: ['set-get'],
    value: 'json',
    keySize: [10],
    valueSize: [100],
    tasks: [1, 3],
    durationMs: 5000,
    runs: 3,
  },
};
