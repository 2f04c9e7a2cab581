import { CAREFUL_OPTIONS, LACKS_ALONE, OPTIONS_OF_5 } from '../shared/ioredis-options.js';

/** Valkey's fork of ioredis 5: the same interface, so the same adapter. */
export default {
  title: 'iovalkey',
  package: 'iovalkey',
  releases: '^0.4.0',
  like: 'ioredis',
  variants: { default: {}, 'auto-pipelining': { enableAutoPipelining: true }, careful: CAREFUL_OPTIONS },
  options: [...OPTIONS_OF_5, 'familyFallback'],
  since: {},
  capabilities:
    `unix tls client-certificate server-name sentinel pipeline auto-pipelining subscribe prompt-close recovery buffers
    transaction-buffers bundling`.split(/\s+/),
  // Measured with 0.4.0: the first command for a key is redirected, and batches are split.
  lacks: {
    cluster: 'no adapter for clusters: its commands reach the right node at the second attempt',
    replicas: 'no reading from replicas',
    ...LACKS_ALONE,
  },
};
