export default {
  id: 'implicit-pipelining',
  title: 'Implicit pipelining',
  summary:
    'serial and parallel SET + GET, batched not at all, by the client or by a window; one server and a cluster',
  format: 'go-bench',
  options: {
    clients: ['redis', 'redis:tuned', 'ioredis'],
    scenarios: ['shared-connection'],
    workload: ['set-get'],
    pipelining: ['none', 'implicit', 'auto', 'window:150', 'window:0'],
    topology: ['standalone', 'cluster'],
    size: [10],
    // One at a time, and enough at once that batches can form.
    tasks: [1, 64],
    // Eleven cells in a group make 55 comparisons: with three runs even large differences could not be claimed.
    runs: 5,
  },
};
