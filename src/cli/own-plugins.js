/** What may be written as a single file: the option that names it, and what it is measured beside. */
export const OWN_PLUGINS = {
  client: { option: '--clients', beside: 'redis,ioredis' },
  scenario: { option: '--scenarios', beside: 'shared-connection,pool' },
  workload: { option: '--workload', beside: 'get' },
  pipelining: { option: '--pipelining', beside: 'implicit' },
};
