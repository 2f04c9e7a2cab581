import { setImmediate } from 'node:timers/promises';

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
    return new IoredisConnection(client);
  },
};

/** A class for the reason given in redis.js. */
class IoredisConnection {
  /** @param {import('ioredis').Redis} client */
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
    return this.client.hset(key, field, value);
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
  command(/** @type {[string, ...string[]]} */ [name, ...args]) {
    return this.client.call(name, ...args);
  }
  async pipeline(/** @type {string[][]} */ commands) {
    const batch = this.client.pipeline();
    for (const [name, ...args] of commands) batch.call(name, ...args);
    const results = await batch.exec();
    return (results ?? []).map(([error, reply]) => error ?? reply);
  }
  async close() {
    // QUIT overtakes the commands that auto-pipelining still holds back.
    while (this.client.autoPipelineQueueSize > 0) await setImmediate();
    await this.client.quit();
  }
  destroy() {
    this.client.disconnect();
  }
  get effectiveOptions() {
    return this.client.options;
  }
}

/** @param {import('../types.js').Target} target */
function addressOf({ transport, host, port, path }) {
  if (transport === 'unix') return { path };
  return transport === 'tls' ? { host, port, tls: {} } : { host, port };
}
