import { CAREFUL_OPTIONS, OPTIONS_OF_5 } from '../shared/ioredis-options.js';

/** Valkey's fork of ioredis 5: the same interface, so the same adapter. */
export default {
  title: 'iovalkey',
  package: 'iovalkey',
  releases: '^0.4.0',
  like: 'ioredis',
  variants: { default: {}, 'auto-pipelining': { enableAutoPipelining: true }, careful: CAREFUL_OPTIONS },
  options: [...OPTIONS_OF_5, 'familyFallback'],
  declares: {
    standalone: ['RedisOptions'],
    cluster: ['ClusterOptions', 'RedisOptions'],
    sentinel: ['RedisOptions'],
  },
  since: {},
  capabilities:
    `unix tls client-certificate server-name sentinel pipeline auto-pipelining subscribe prompt-close recovery buffers
    transaction-buffers bundling`.split(/\s+/),
  // Measured with 0.4.0: the first command for a key is redirected, and batches are split.
  lacks: {
    cluster: 'no adapter for clusters: its commands reach the right node at the second attempt',
    replicas: 'no reading from replicas',
    'sentinel-replicas':
      "no client that reads from replicas and writes to the primary: a service opens a second one with role: 'slave'; measure it with a client of your own ('redis-pipe-bench init client')",
    'standalone-replicas': 'no way to read from replicas except in a cluster (scaleReads)',
  },
};
