import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { firstKey, onlyReads } from '../shared/command-keys.js';
import { ClientConnection } from '../shared/connections.js';

/** @import { Target } from '../../server/types.js' */
/** @import { Command, Connect, Untyped } from '../types.js' */

/** Requests end after 250 ms by default and at most 1000 wait, so little is left to add. */
const CAREFUL = {
  requestTimeout: 500,
  inflightRequestsLimit: 500,
  connectionBackoff: { numberOfRetries: 5, factor: 20, exponentBase: 2, jitterPercent: 20 },
  advancedConfiguration: { connectionTimeout: 1000 },
};

/**
 * Its core, in Rust, talks to the server from its own threads; requests and replies pass between it and Node over a
 * unix socket, as Protocol Buffers. By default a request fails after 250 ms, and so does any beyond 1000 in flight.
 */
export default {
  title: 'Valkey GLIDE',
  package: '@valkey/valkey-glide',
  // Earlier ones have no Batch.
  releases: '^2.0.0',
  variants: { default: {}, careful: CAREFUL },
  constructs: 'GlideClient.createClient',
  variantWords: { careful: 'reconnect sooner, and let fewer requests wait' },
  options:
    `requestTimeout readFrom clientName protocol inflightRequestsLimit clientAz connectionBackoff defaultDecoder
    lazyConnect advancedConfiguration periodicChecks clientCircuitBreaker clientInfoTag compression libName
    nodeDiscoveryMode readOnly recoveryRequestsQueueSize`.split(/\s+/),
  declares: { standalone: ['GlideClientConfiguration'], cluster: ['GlideClusterClientConfiguration'] },
  capabilities:
    'tls cluster pipeline recovery replicas standalone-replicas buffers transaction-buffers'.split(' '),
  lacks: {
    subscribe: 'no way to subscribe on an open connection',
    'client-certificate': 'no way to show a client certificate (--tls-cert), as of 2.5.2',
    'server-name':
      'no way to expect another name of a certificate than its host (--tls-servername), as of 2.5.2',
    bundling: 'no way to bundle it: its native part must stay a file of its own',
    unix: 'no way to connect to a unix socket',
    'node-sockets': 'no sockets that this tool can route through a relay, as --rtt on a cluster needs',
    // Measured with 2.5.2: 1.5 to 3 s, the interval of its heartbeat.
    'prompt-close': 'no prompt close: the server sees its connections for up to 3 s more',
  },
  reconnects: true,
  ownSockets: true,
  // It never removes this socket; 2.5.2 ignores TMPDIR.
  tempFilePrefix: (/** @type {number} */ pid) => `/tmp/glide-socket-${pid}-`,

  /** @type {Connect<typeof import('@valkey/valkey-glide')>} */
  connect: async (target, options, library, { buffers } = {}) => {
    // It logs to stdout, which is for results only.
    library.Logger.init('off');
    const own = configurationOf(target);
    const configuration = {
      ...own,
      ...(buffers && { defaultDecoder: library.Decoder.Bytes }),
      ...options,
      // Other options there must not replace the authorities to trust.
      advancedConfiguration: { ...own.advancedConfiguration, ...options.advancedConfiguration },
    };
    try {
      return target.topology === 'cluster'
        ? new GlideClusterConnection(
            await library.GlideClusterClient.createClient(configuration),
            library.ClusterBatch,
          )
        : new GlideConnection(await library.GlideClient.createClient(configuration), library.Batch);
    } catch (error) {
      throw (await whyNot({ ...target, ...target.nodes?.[0] })) ?? error;
    }
  },
};

/** @param {Target} target @returns {Untyped} */
function configurationOf({ transport, host, port, nodes, readFrom, replicas, ...target }) {
  const { username, password, database, tls: secure } = target;
  const insecure = secure?.rejectUnauthorized === false;
  return {
    // It finds the replicas of a cluster itself.
    addresses: nodes ?? [{ host, port }, ...((readFrom === 'replica' && replicas) || [])],
    ...(readFrom === 'replica' && { readFrom: 'preferReplica' }),
    databaseId: database,
    ...(password !== undefined && { credentials: { username, password } }),
    ...(transport === 'tls' && {
      useTLS: true,
      advancedConfiguration: { tlsAdvancedConfiguration: { insecure, rootCertificates: secure?.ca } },
    }),
  };
}

/**
 * GLIDE reports any failure to connect as "timed out" after two seconds; a socket of our own says more.
 * @param {Target} target @returns {Promise<unknown>} undefined if that can connect, or times out too
 */
async function whyNot({ transport, host, port, tls: secure }) {
  const overTls = transport === 'tls';
  const socket = overTls ? tls.connect({ host, port, ...secure }) : net.connect({ host, port: Number(port) });
  return once(socket, overTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(2000) })
    .then(
      () => undefined,
      (error) => (error.name === 'AbortError' ? undefined : error),
    )
    .finally(() => socket.destroy());
}

class GlideConnection extends ClientConnection {
  #Batch;

  /** @param {Untyped} client @param {new (isAtomic: boolean) => Untyped} Batch */
  constructor(client, Batch) {
    super(client);
    this.#Batch = Batch;
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    return this.client.hset(key, { [field]: value });
  }
  exists(/** @type {string} */ key) {
    return this.client.exists([key]);
  }
  del(/** @type {string} */ key) {
    return this.client.del([key]);
  }
  command(/** @type {Command} */ args) {
    return this.client.customCommand(args);
  }
  transaction(/** @type {Command[]} */ commands) {
    return this.#send(true, commands);
  }
  pipeline(/** @type {Command[]} */ commands) {
    return this.#send(false, commands);
  }
  /** @param {boolean} isAtomic @param {Command[]} commands */
  #send(isAtomic, commands) {
    const batch = new this.#Batch(isAtomic);
    for (const args of commands) batch.customCommand(args);
    return this.client.exec(batch, false);
  }
  async close() {
    // Its own close() rejects what is in flight; after PING nothing is.
    await this.ping();
    this.client.close();
  }
  destroy() {
    this.client.close();
  }
  /** What it was given, and its defaults: it does not show its options. */
  get effectiveOptions() {
    const { config, requestTimeout, inflightRequestsLimit } = this.client;
    return { ...config, requestTimeout, inflightRequestsLimit };
  }
}

/** It follows MOVED and ASK, in batches too. */
class GlideClusterConnection extends GlideConnection {
  command(/** @type {Command} */ args) {
    const key = firstKey(args);
    const readsElsewhere = (this.client.config?.readFrom ?? 'primary') !== 'primary';
    if (key !== undefined && readsElsewhere && onlyReads(args)) return this.client.customCommand(args);
    // By itself it would send some commands, such as INFO, to all nodes and join the replies.
    const route = key === undefined ? 'randomNode' : { type: 'primarySlotKey', key };
    return this.client.customCommand(args, { route });
  }
}
