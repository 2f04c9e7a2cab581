/** @import { ClientSource } from 'redis-pipe-bench' */

/**
 * node-redis 3, whose commands take callbacks. Copy this file, and name the release behind it:
 *
 *   redis-pipe-bench --clients ./redis-v3.js@3,redis@6
 *
 * @type {ClientSource}
 */
const client = {
  title: 'node-redis 3',
  package: 'redis',
  releases: '^3.0.0',
  capabilities: ['pipeline', 'prompt-close'],

  async connect(
    { host, port, username, password, database },
    options,
    { createClient, RedisClient },
    { watch } = {},
  ) {
    if (RedisClient === undefined)
      throw new Error('redis-v3.js is for node-redis 3: --clients ./redis-v3.js@3');
    /** @param {(done: (error: Error | null, reply: any) => void) => void} send @returns {Promise<any>} */
    const reply = (send) =>
      new Promise((resolve, reject) => send((error, value) => (error ? reject(error) : resolve(value))));
    const given = { host, port, user: username, password, db: database, ...options };
    // A connection that comes back by itself would hide that it was lost.
    const redis = createClient({ ...given, retry_strategy: () => undefined });
    watch?.(redis);
    await new Promise((resolve, reject) => redis.on('ready', resolve).on('error', reject));
    return {
      command: ([name, ...args]) => reply((done) => redis.send_command(name, args, done)),
      get: (key) => reply((done) => redis.get(key, done)),
      set: (key, value) => reply((done) => redis.set(key, value, done)),
      pipeline: (commands) => reply((done) => redis.batch(commands).exec(done)),
      close: () => reply((done) => redis.quit(done)),
      destroy: () => redis.end(false),
    };
  },
};

export default client;
