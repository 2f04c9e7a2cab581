import { firstKey, keyAmong, onlyReads, pipelineByNode } from '../shared/command-keys.js';
import {
  ClientBatch,
  ClientConnection,
  CommandBatch,
  connectOrTell,
  hinted,
  watched,
} from '../shared/connections.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { Target } from '../../server/types.js' */
/** @import { Batch, ClientPlugin, Command, Connect, Connection, ConnectionMode, Untyped } from '../types.js' */

/** Fails fast. The command timeout ends at the write to the socket; the socket's own restarts with each write. */
const CAREFUL = {
  commandOptions: { timeout: 1000 },
  disableOfflineQueue: true,
  pingInterval: 1000,
  socket: { connectTimeout: 1000, socketTimeout: 2000, reconnectStrategy: reconnectSoon },
};

/** Options of createSentinel() itself, not of its connections. */
const OF_SENTINEL =
  'masterPoolSize replicaPoolSize reserveClient scanInterval maxCommandRediscovers nodeAddressMap'.split(' ');

/** At most half a second apart, with jitter. @param {number} retries */
function reconnectSoon(retries) {
  return Math.min(500, 20 * 2 ** retries) + Math.floor(Math.random() * 50);
}

/** node-redis always writes the commands of one turn of the event loop together: implicit pipelining. */
export default {
  title: 'node-redis',
  package: 'redis',
  releases: '^4.6.5 || ^5.0.0 || ^6.0.0',
  examples: { '^3.0.0': 'redis-v3.js', '>=4.0.0 <4.6.5': 'redis-v4-0.js' },
  // Versions 5.6 and 5.7 have commandOptions.timeout too, but no default for it.
  since: {
    tuned: '5.6.0',
    resp2: '5.0.0',
    resp3: '5.0.0',
    cached: '5.6.0',
    'native-pool': '5.0.0',
    buffers: '5.0.0',
    sentinel: '5.0.0',
  },
  variants: {
    default: {},
    // By default each command carries an AbortSignal (commandOptions.timeout, 5 s), which costs several times
    // what the command itself does.
    tuned: { commandOptions: { timeout: undefined } },
    resp2: { RESP: 2 },
    resp3: { RESP: 3 },
    // Differs from tuned by the cache alone.
    cached: {
      RESP: 3,
      commandOptions: { timeout: undefined },
      clientSideCache: { ttl: 0, maxEntries: 0, evictPolicy: 'LRU' },
    },
    careful: CAREFUL,
  },
  // Behind Sentinels it lends a connection of its own pool to each command until the reply has come.
  /** @type {NonNullable<ClientPlugin['atOnce']>} */
  atOnce: (topology, { masterPoolSize: most = 1 }) =>
    topology === 'sentinel' ? { most, option: `masterPoolSize ${most}` } : undefined,
  constructs: 'createClient',
  variantWords: {
    tuned: 'turn the per-command timeout off',
    careful: 'turn the offline queue off and set short timeouts',
    resp2: 'speak RESP2',
    resp3: 'speak RESP3',
    cached: 'turn client-side caching on, and the per-command timeout off',
  },
  options:
    `socket name commandsQueueMaxLength disableOfflineQueue readonly pingInterval commandOptions clientSideCache
    himportRegistry disableClientInfo clientInfoTag emitInvalidate RESP maintNotifications maintEndpointType
    maintRelaxedCommandTimeout maintRelaxedSocketTimeout modules functions scripts isolationPoolOptions useReplicas
    minimizeConnections maxCommandRedirections topologyRefreshOnReconnectionAttemptStrategy`
      .split(/\s+/)
      .concat(OF_SENTINEL),
  declares: {
    standalone: ['RedisClientOptions'],
    cluster: ['RedisClusterOptions', 'RedisClientOptions'],
    sentinel: ['RedisSentinelOptions', 'RedisClientOptions'],
  },
  lacks: {
    'transaction-buffers': 'no Buffers out of MULTI: its EXEC ignores type mappings, as of 6.3.1',
    'auto-pipelining':
      'no auto-pipelining to switch on: it always gathers the commands of one turn of the event loop, which is its implicit',
    'standalone-replicas':
      'no way to read from replicas except in a cluster (useReplicas) or behind Sentinels (replicaPoolSize)',
    'native-sentinel-pool':
      'no pool behind Sentinels but its own masterPoolSize, which is an option of the client',
  },
  capabilities:
    `unix tls client-certificate server-name cluster sentinel pipeline native-pool subscribe prompt-close recovery replicas
    sentinel-replicas buffers bundling`.split(/\s+/),

  // The timeout of commands is for those that are not yet written.
  silenceLimitMs: (/** @type {Record<string, Untyped>} */ { socket, defaults, nodeClientOptions }) =>
    (socket ?? (defaults ?? nodeClientOptions)?.socket)?.socketTimeout ?? null,

  /** @type {Connect<typeof import('redis')>} */
  connect: (target, options, library, manners) =>
    CONNECT[target.topology ?? 'standalone'](target, options, library, manners),

  /**
   * A task that has to wait arms a timer (acquireTimeout, 3 s), which is part of what this pool costs.
   * @type {NonNullable<ClientPlugin['connectPool']>}
   */
  async connectPool(target, options, library, { size, adopt }, manners) {
    const limits = { minimum: size, maximum: size };
    const pool = watched(library.createClientPool(clientOptions(target, options, manners), limits), manners);
    await pool.connect();
    /** @type {Map<unknown, Untyped>} */
    const connections = new Map();
    const take = async (/** @type {Untyped} */ client) =>
      void connections.set(client, adopt(new RedisConnection(client)));
    // Borrowed all at once, so that each is adopted.
    await Promise.all(Array.from({ length: size }, () => pool.execute(take)));
    return {
      borrow: (use) => pool.execute((/** @type {Untyped} */ client) => use(connections.get(client))),
      close: () => pool.close(),
    };
  },
};

/** @param {Target} target @param {Record<string, Untyped>} options @param {ConnectionMode} [manners] */
const clientOptions = (target, options, manners) => ({
  username: target.username,
  password: target.password,
  database: target.database,
  ...options,
  ...repliesOf(options, manners),
  socket: socketOf(target, options.socket, manners),
});

/** @type {Connect<typeof import('redis')>} */
async function connectOne(target, options, library, manners) {
  const client = watched(library.createClient(clientOptions(target, options, manners)), manners);
  await client.connect().catch((error) => {
    throw hinted(error, 'HELLO', 'redis:resp2 connects without it');
  });
  return new RedisConnection(client);
}

/** @type {Connect<typeof import('redis')>} */
async function connectCluster(target, options, library, manners) {
  // The cluster takes some options itself, others (socket, password) only as defaults of its nodes.
  const { socket, ...given } = options;
  const own = {
    ...(target.readFrom === 'replica' && { useReplicas: true }),
    ...given,
    ...repliesOf(given, manners),
  };
  const all = {
    ...own,
    rootNodes: (target.nodes ?? []).map((address) => ({ socket: address })),
    defaults: clientOptions(target, { ...own, socket }, manners),
  };
  const cluster = library.createCluster(all);
  const connection = new RedisClusterConnection(cluster, all);
  // connect() itself only says that no node is available.
  await connectOrTell(cluster, () => connection.destroy(), manners);
  return connection;
}

/** @type {Connect<typeof import('redis')>} */
async function connectSentinel(target, options, library, manners = {}) {
  const { RESP, clientSideCache, ...given } = options;
  const { commandOptions, ...nodeClientOptions } = clientOptions(target, given, manners);
  const own = Object.fromEntries(OF_SENTINEL.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  const all = {
    name: target.masterName,
    sentinelRootNodes: target.sentinels,
    ...(target.readFrom === 'replica' && { replicaPoolSize: 1 }),
    // Otherwise it looks for a lost primary 16 times, a second apart.
    ...(!manners.recovers && { maxCommandRediscovers: 0 }),
    ...own,
    RESP,
    clientSideCache,
    commandOptions,
    nodeClientOptions,
    sentinelClientOptions: {
      username: target.sentinelUsername,
      password: target.sentinelPassword,
      socket: socketOf(target),
    },
  };
  const client = library.createSentinel(/** @type {any} */ (all));
  const connection = new RedisSentinelConnection(client, all);
  await connectOrTell(client, () => connection.destroy(), manners);
  return connection;
}

/** @type {Record<Topology, Connect<typeof import('redis')>>} */
const CONNECT = { standalone: connectOne, cluster: connectCluster, sentinel: connectSentinel };

class RedisConnection extends ClientConnection {
  /** @param {Untyped} client @param {Record<string, Untyped>} [options] */
  constructor(client, options = client.options) {
    super(client);
    this.options = options;
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    return this.client.hSet(key, field, value);
  }
  command(/** @type {Command} */ args) {
    return this.client.sendCommand(args);
  }
  /** @param {Command[]} commands @param {typeof onlyReads} _mayReadReplica @returns {Untyped} */
  chainOf(commands, _mayReadReplica) {
    const chain = this.client.multi();
    for (const args of commands) chain.addCommand(args);
    return chain;
  }
  transaction(/** @type {Command[]} */ commands) {
    return this.chainOf(commands, () => false).exec();
  }
  pipeline(/** @type {Command[]} */ commands) {
    return this.chainOf(commands, onlyReads).execAsPipeline();
  }
  /** @returns {Batch} */
  batch() {
    return new RedisBatch(this.client.multi());
  }
  async close() {
    // Before version 5 these had other names.
    await (this.client.close ?? this.client.quit).call(this.client);
  }
  destroy() {
    end(this.client);
  }
  /** @param {string} channel @param {(text: string) => void} listener */
  subscribe(channel, listener) {
    return this.client.subscribe(channel, listener);
  }
  /** The client's own, which connections may share. @returns {Connection['cache']} */
  get cache() {
    const cache = this.client.clientSideCache;
    if (typeof cache?.stats !== 'function') return undefined;
    // Not its hits: a command that waits for the reply to another one counts as a miss, but sends nothing.
    cache.answered ??= () => cache.stats().requestCount() - cache.stats().loadCount();
    return cache;
  }
  get effectiveOptions() {
    // `options` lacks the default timeout of commands.
    const timeout = this.client._commandOptions?.timeout ?? null;
    return { ...this.options, commandOptions: { ...this.options?.commandOptions, timeout } };
  }
}

class RedisBatch extends ClientBatch {
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    this.commandCount++;
    this.chain.hSet(key, field, value);
  }
  command(/** @type {Command} */ args) {
    this.commandCount++;
    this.chain.addCommand(args);
  }
  exec() {
    return this.fold(this.chain.execAsPipeline());
  }
}

/** It follows MOVED and ASK, except in batches, which it sends to one node. */
class RedisClusterConnection extends RedisConnection {
  /** It knows replicas only with `useReplicas`. */
  #nodes() {
    return [...this.client.masters, ...(this.client.replicas ?? [])];
  }
  async ping() {
    const clients = await Promise.all(this.#nodes().map((node) => this.client.nodeClient(node)));
    return (await Promise.all(clients.map((client) => client.ping())))[0];
  }
  async command(/** @type {Command} */ args) {
    const key = firstKey(args);
    if (key !== undefined) return this.client.sendCommand(key, onlyReads(args), args);
    // By itself it would send some commands, such as INFO, to all nodes and join the replies.
    return (await this.client.nodeClient(this.client.getRandomNode())).sendCommand(args);
  }
  /** @param {Command[]} commands @param {typeof onlyReads} mayReadReplica @param {string} [key] any of their keys */
  chainOf(commands, mayReadReplica, key = keyAmong(commands)) {
    const chain = this.client.multi(key);
    // It does not ask whether a command only reads.
    const isVersion4 = this.client.close === undefined;
    for (const args of commands) {
      const readOnly = isVersion4 ? [] : [mayReadReplica(args)];
      chain.addCommand(key, ...readOnly, args);
    }
    return chain;
  }
  batch() {
    return new CommandBatch(this);
  }
  pipeline(/** @type {Command[]} */ commands) {
    return pipelineByNode(
      commands,
      (slot) => this.client.slots[slot].master,
      (part, key) => this.chainOf(part, onlyReads, key).execAsPipeline(),
    );
  }
  destroy() {
    // The cluster's own destroy() stops at the first closed node.
    for (const { client } of this.#nodes()) Promise.resolve(client).then(end, () => {});
  }
}

class RedisSentinelConnection extends RedisConnection {
  command(/** @type {Command} */ args) {
    return this.client.sendCommand(onlyReads(args), args);
  }
  /** @param {Command[]} commands @param {typeof onlyReads} mayReadReplica */
  chainOf(commands, mayReadReplica) {
    const chain = this.client.multi();
    for (const args of commands) chain.addCommand(mayReadReplica(args), args);
    return chain;
  }
  batch() {
    return new CommandBatch(this);
  }
  destroy() {
    this.client.destroy().catch(() => {});
  }
  get effectiveOptions() {
    return { ...this.options, commandOptions: this.client.commandOptions };
  }
}

/** The library's RESP_TYPES has the same. */
const BLOB_STRING = 36;

/** @param {Record<string, Untyped>} options @param {ConnectionMode} [manners] */
const repliesOf = ({ commandOptions }, { buffers = false } = {}) =>
  buffers && { commandOptions: { ...commandOptions, typeMapping: { [BLOB_STRING]: Buffer } } };

/** @param {Target} target @param {Untyped} [own] of a variant @param {ConnectionMode} [manners] @returns {Untyped} */
function socketOf(
  { transport, path, tls, nodes, sentinels, ...target },
  own = {},
  { recovers = false } = {},
) {
  const { reconnectStrategy: strategy = false } = own;
  return {
    ...(!nodes && !sentinels && { host: target.host, port: target.port }),
    ...(transport === 'unix' && { path }),
    ...(transport === 'tls' && { ...tls, tls: true }),
    ...own,
    // A variant's own strategy is for connections that recover.
    ...(!recovers && { reconnectStrategy: typeof strategy === 'function' ? false : strategy }),
  };
}

/** Version 4 has disconnect() instead, which rejects if the connection is closed already. @param {Untyped} client */
function end(client) {
  if (!client?.isOpen) return;
  if (client.destroy) client.destroy();
  else client.disconnect().catch(() => {});
}
