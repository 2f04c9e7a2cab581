/** Code of a user's own that says how its operations are accounted for. */
export default {
  id: 'counted',
  title: 'a counter for each item',
  summary: 'adds to a counter, which shows how often that was done',
  tellsRepeats: true,

  /** @param {any} redis @param {{key: string}} item */
  iterate: async (redis, { key }) => Number(await redis.command(['INCR', `${key}:n`])) > 0,

  /** @param {(command: string, key: string) => Promise<unknown>} ask @param {{key: string}} item */
  done: (ask, { key }) => ask('GET', `${key}:n`),
};
