export default {
  id: 'pipelining-test',
  title: 'Node Redis Pipelining Test',
  format: 'lines',
  summary: 'GET at three sizes and 2, 4 and 8 tasks: is it better to share a connection?',
  options: {
    scenarios: ['shared-connection', 'connection-per-task'],
    workload: ['get'],
    size: [10, 1000, 100_000],
    // As the original: all tasks read the same key.
    keys: 1,
    tasks: [2, 4, 8],
    runs: 3,
    warmupRuns: 1,
    // The original's own counts: floor(1e9 / (30000 + 5 · size)), so that each size takes about as long.
    iterations: { budget: 1e9, perOperation: 30_000, perByte: 5 },
  },
};
