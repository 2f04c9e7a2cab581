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
    return new RedisConnection(client);
  },
};

/** A class, because its methods are then the same functions, to the compiler too, for every connection. */
class RedisConnection {
  /** @param {any} client */
  constructor(client) {
    this.client = client;
  }
  get(/** @type {string} */ key) {
    return this.client.get(key);
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    return this.client.set(key, value);
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    return this.client.hSet(key, field, value);
  }
  exists(/** @type {string} */ key) {
    return this.client.exists(key);
  }
  del(/** @type {string} */ key) {
    return this.client.del(key);
  }
  ping() {
    return this.client.ping();
  }
  command(/** @type {string[]} */ args) {
    return this.client.sendCommand(args);
  }
  pipeline(/** @type {string[][]} */ commands) {
    const batch = this.client.multi();
    for (const args of commands) batch.addCommand(args);
    return batch.execAsPipeline();
  }
  async close() {
    await this.client.close();
  }
  destroy() {
    this.client.destroy();
  }
  get effectiveOptions() {
    // The timeout of each command is kept apart from the options that the client shows.
    const { commandOptions, ...shown } = this.client.options ?? {};
    return {
      ...shown,
      commandOptions: { ...commandOptions, timeout: this.client._commandOptions?.timeout ?? null },
    };
  }
}

/** @param {import('../types.js').Target} target */
function socketOf({ transport, host, port, path }) {
  if (transport === 'unix') return { path: /** @type {string} */ (path) };
  return transport === 'tls' ? { host, port, tls: /** @type {const} */ (true) } : { host, port };
}
