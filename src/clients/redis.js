/**
 * node-redis. It gathers the commands of one turn of the event loop and writes them together, always:
 * implicit pipelining is what this client is.
 */
export default {
  id: 'redis',
  title: 'node-redis',
  package: 'redis',
  variants: {
    default: {},
    // By default each command carries an AbortSignal of its own (commandOptions.timeout, 5 s), which
    // costs the client several times what the command itself does.
    tuned: { commandOptions: { timeout: undefined } },
  },
  capabilities: new Set(['unix', 'tls', 'cluster', 'pipeline']),

  /**
   * @param {import('../types.js').Target} target
   * @param {Record<string, any>} options a variant's
   * @param {typeof import('redis')} library
   * @returns {Promise<import('../types.js').Connection>}
   */
  async connect(target, options, library) {
    const client = library.createClient({
      username: target.username,
      password: target.password,
      database: target.database,
      ...options,
      socket: { ...socketOf(target), reconnectStrategy: false, ...options.socket },
    });
    // Without a listener an error event would end the process; the commands in flight reject by themselves.
    client.on('error', () => {});
    await client.connect();
    return {
      get: (key) => client.get(key),
      set: (key, value) => client.set(key, value),
      hset: (key, field, value) => client.hSet(key, field, value),
      exists: (key) => client.exists(key),
      del: (key) => client.del(key),
      ping: () => client.ping(),
      command: (args) => client.sendCommand(args),
      pipeline(commands) {
        const batch = client.multi();
        for (const args of commands) batch.addCommand(args);
        return batch.execAsPipeline();
      },
      close: async () => client.close(),
      destroy: () => client.destroy(),
      get effectiveOptions() {
        // The default timeout is kept apart from the options that the client shows.
        const { commandOptions, ...shown } = /** @type {any} */ (client.options ?? {});
        return { ...shown, commandOptions: { ...commandOptions, timeout: timeoutOf(client) } };
      },
    };
  },
};

/** @param {import('../types.js').Target} target */
function socketOf({ transport, host, port, path }) {
  if (transport === 'unix') return { path: /** @type {string} */ (path) };
  return transport === 'tls' ? { host, port, tls: /** @type {const} */ (true) } : { host, port };
}

/** @param {any} client */
const timeoutOf = (client) => client._commandOptions?.timeout ?? null;
