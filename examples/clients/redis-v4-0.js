/** @import { ClientSource } from 'redis-pipe-bench' */

/**
 * node-redis 4.0 to 4.6.4, which the tool's own `redis` does not speak. Copy this file, and name the release behind it:
 *
 *   redis-pipe-bench --clients ./redis-v4-0.js@4.0.4,redis@4,redis@6
 *
 * @type {ClientSource}
 */
const client = {
  title: 'node-redis 4.0',
  package: 'redis',
  releases: '>=4.0.0 <4.6.5',
  capabilities: ['pipeline', 'prompt-close'],

  async connect({ host, port, username, password, database }, options, { createClient }, { watch } = {}) {
    // A connection that comes back by itself would hide that it was lost.
    const socket = { host, port, reconnectStrategy: () => new Error('the connection was lost') };
    const redis = createClient({ socket, username, password, database, ...options });
    if (redis.close) throw new Error('redis-v4-0.js is for node-redis 4.0: --clients ./redis-v4-0.js@4.0.4');
    redis.on('error', () => {});
    watch?.(redis);
    await redis.connect();
    return {
      command: (args) => redis.sendCommand(args),
      get: (key) => redis.get(key),
      set: (key, value) => redis.set(key, value),
      pipeline(commands) {
        const batch = redis.multi();
        for (const command of commands) batch.addCommand(command);
        return batch.exec(true);
      },
      close: () => redis.quit(),
      destroy: () => redis.disconnect(),
    };
  },
};

export default client;
