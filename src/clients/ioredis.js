/**
 * ioredis. Writes each command by itself unless auto-pipelining is on; with it, the commands of one
 * turn of the event loop share a write, one batch under way at a time.
 */
export default {
  id: 'ioredis',
  title: 'ioredis',
  package: 'ioredis',
  variants: {
    default: {},
    'auto-pipelining': { enableAutoPipelining: true },
  },
  capabilities: new Set(['unix', 'tls', 'cluster', 'pipeline', 'auto-pipelining']),

  /**
   * @param {import('../types.js').Target} target
   * @param {Record<string, any>} options a variant's
   * @param {typeof import('ioredis')} library
   * @returns {Promise<import('../types.js').Connection>}
   */
  async connect(target, options, library) {
    const client = new library.Redis({
      ...addressOf(target),
      username: target.username,
      password: target.password,
      db: target.database,
      lazyConnect: true,
      retryStrategy: () => null,
      ...options,
    });
    // connect() rejects with "Connection is closed."; what really happened comes as an event.
    /** @type {Error | undefined} */
    let cause;
    client.on('error', (error) => {
      cause = error;
    });
    await client.connect().catch((error) => {
      client.disconnect();
      throw cause ?? error;
    });
    return {
      get: (key) => client.get(key),
      set: (key, value) => client.set(key, value),
      hset: (key, field, value) => client.hset(key, field, value),
      exists: (key) => client.exists(key),
      del: (key) => client.del(key),
      ping: () => client.ping(),
      command: ([name, ...args]) => client.call(name, ...args),
      async pipeline(commands) {
        const results = await client.pipeline(commands).exec();
        return (results ?? []).map(([error, reply]) => error ?? reply);
      },
      close: async () => void (await client.quit()),
      destroy: () => client.disconnect(),
      get effectiveOptions() {
        return client.options;
      },
    };
  },
};

/** @param {import('../types.js').Target} target */
function addressOf({ transport, host, port, path }) {
  if (transport === 'unix') return { path };
  return transport === 'tls' ? { host, port, tls: {} } : { host, port };
}
