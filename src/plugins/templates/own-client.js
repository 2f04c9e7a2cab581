/** @import { ClientSource } from 'redis-pipe-bench' */

/**
 * A client of your own: whatever your service talks to Redis through. This one works as it is, with node-redis; put
 * your own code in its place, such as `import { connect } from '../src/redis.js'`.
 *
 *   redis-pipe-bench check ./our-redis.js
 *   redis-pipe-bench --clients ./our-redis.js,./our-redis.js:tuned,redis
 *
 * @type {ClientSource}
 */
const client = {
  // What connect() is handed as its third argument; ./our-redis.js@5 asks for that release. Leave it out if you import
  // everything yourself.
  package: 'redis',

  // Sets of options that are measured side by side: `default` need not be named.
  variants: {
    tuned: { commandOptions: { timeout: undefined } },
  },

  // What it can do. pipeline: pipeline() sends all commands at once. prompt-close: close() has closed the connection
  // when it resolves. Also tls, unix, cluster, auto-pipelining.
  capabilities: ['pipeline', 'prompt-close'],

  // Set this if it connects again by itself and cannot be configured not to.
  // reconnects: true,

  // Set this if it answers reads from a cache of its own: then the server need not have counted them.
  // caches: true,

  // Resolves to a connection that is ready. watch() counts the errors and reconnections that a client emits.
  async connect({ host, port, username, password, database }, options, { createClient }, { watch } = {}) {
    const redis = createClient({
      socket: { host, port, reconnectStrategy: false },
      username,
      password,
      database,
      ...options,
    });
    redis.on('error', () => {});
    watch?.(redis);
    await redis.connect();
    return {
      // Sends any command, its name first. Rejects if the server replies with an error.
      command: (args) => redis.sendCommand(args),

      // Waits for what is in flight, then closes.
      close: () => redis.close(),

      // The rest may be left out: it is then made of these. Write what your service calls, such as exists() or destroy().
      get: (key) => redis.get(key),
      set: (key, value) => redis.set(key, value),
      pipeline: (commands) =>
        commands.reduce((batch, command) => batch.addCommand(command), redis.multi()).execAsPipeline(),
    };
  },
};

export default client;
