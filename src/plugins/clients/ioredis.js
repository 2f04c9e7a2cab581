import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../../errors.js';
import { isKnown, pipelineByNode } from '../shared/command-keys.js';
import { ClientBatch, ClientConnection, CommandBatch, connectOrTell, hinted } from '../shared/connections.js';
import { CAREFUL_OPTIONS, LACKS_ALONE, OPTIONS_OF_5, silenceLimitMs } from '../shared/ioredis-options.js';

/** @import { Target } from '../../server/types.js' */
/** @import { Batch, Command, Connect, Connection, Untyped } from '../types.js' */
/** @import { Cluster, Redis } from 'ioredis' */

const AUTO_PIPELINING = { enableAutoPipelining: true };

/** With auto-pipelining, the commands of a turn of the event loop share a write, one batch in flight at a time. */
export default {
  title: 'ioredis',
  package: 'ioredis',
  releases: '^4.19.0 || ^5.0.0 || ^6.0.0',
  variants: {
    default: {},
    'auto-pipelining': AUTO_PIPELINING,
    careful: CAREFUL_OPTIONS,
    resp2: { protocol: 2 },
    resp3: { protocol: 3 },
  },
  constructs: 'new Redis',
  variantWords: {
    'auto-pipelining': 'turn auto-pipelining on',
    careful: 'turn the offline queue and resending off and set short timeouts',
    resp2: 'speak RESP2',
    resp3: 'speak RESP3',
  },
  since: { resp2: '6.0.0', resp3: '6.0.0' },
  options: [
    ...OPTIONS_OF_5,
    ...`blockingTimeout blockingTimeoutGrace clientInfoTag clusterNodeRetryStrategy disableClientInfo himportFieldsets
      protocol replyMapping shardedSubscribers`.split(/\s+/),
  ],
  declares: {
    standalone: ['RedisOptions'],
    cluster: ['ClusterOptions', 'RedisOptions'],
    sentinel: ['RedisOptions'],
  },
  switches: { 'auto-pipelining': AUTO_PIPELINING },
  capabilities:
    `unix tls client-certificate server-name cluster sentinel pipeline auto-pipelining subscribe prompt-close recovery
    replicas buffers transaction-buffers bundling`.split(/\s+/),
  lacks: LACKS_ALONE,

  silenceLimitMs,

  /** @type {Connect<typeof import('ioredis')>} */
  connect: (target, options, library, manners) =>
    (target.topology === 'cluster' ? connectCluster : connectOne)(target, options, library, manners),
};

/** @type {Connect<typeof import('ioredis')>} */
async function connectOne(target, options, library, manners = {}) {
  const { recovers = false, buffers } = manners;
  const client = new (isVersion4(library) ? library.default : library.Redis)({
    ...(target.sentinels ? behindSentinels(target, recovers) : addressOf(target)),
    username: target.username,
    password: target.password,
    db: target.database,
    lazyConnect: true,
    ...options,
    // A variant's own strategy is for connections that recover.
    ...(recovers ? {} : { retryStrategy: () => null }),
  });
  // connect() itself rejects with "Connection is closed." only.
  await connectOrTell(client, () => client.disconnect(), manners).catch((error) => {
    throw hinted(error, 'INFO', 'its ready check sends that; {enableReadyCheck:false} turns it off');
  });
  return new IoredisConnection(client, library, buffers);
}

/** Otherwise it reconnects and resends commands while a node of a cluster is away. */
const NEVER_AGAIN = { clusterRetryStrategy: () => null, retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 };

/** @type {Connect<typeof import('ioredis')>} */
async function connectCluster(target, options, library, { recovers = false, buffers, watch } = {}) {
  const { username, password, tls, transport, nodes = [], addressMap, readFrom } = target;
  const overTls = transport === 'tls';
  const cluster = new library.Cluster(nodes, {
    lazyConnect: true,
    ...(recovers ? {} : NEVER_AGAIN),
    // A lookup would check certificates against the address, and would bypass the relay.
    ...((overTls || addressMap) && { dnsLookup: (address, done) => done(null, address) }),
    ...(readFrom === 'replica' && { scaleReads: 'slave' }),
    ...options,
    redisOptions: { username, password, ...(overTls && { tls: { ...tls } }), ...options },
  });
  /** @type {Error | undefined} */
  let ofCluster;
  cluster.on('error', (error) => {
    ofCluster = error;
  });
  /** @type {Error | undefined} */
  let ofNode;
  cluster.on('node error', (error) => {
    ofNode = error;
  });
  watch?.(cluster);
  // connect() never settles where its ready check fails, or no node is left.
  const ended = new Promise((_, reject) => {
    const ignored = 'it ignores nodes for which CLUSTER SLOTS gives no host (see cluster-announce-ip)';
    cluster.once('end', () => reject(new Error(`it closed all connections; ${ignored}`)));
  });
  try {
    await Promise.race([cluster.connect(), ended]);
  } catch (error) {
    cluster.disconnect();
    // Where TLS or a login fails, a client of one node says so.
    (await connectOne({ ...target, ...nodes[0] }, options, library)).destroy();
    if (ofNode === undefined) throw error;
    throw ofCluster === undefined ? ofNode : becauseOf(ofNode, ofCluster);
  }
  return new IoredisClusterConnection(cluster, library, buffers);
}

/** What users know and search for is what the cluster says; a node says why. @param {Error} ofNode @param {Error} ofCluster */
const becauseOf = (ofNode, ofCluster) =>
  Object.assign(ofNode, { message: `${messageOf(ofCluster).replace(/\.$/, '')}: ${ofNode.message}` });

class IoredisConnection extends ClientConnection {
  /** @param {Redis | Cluster} client @param {typeof import('ioredis')} library @param {boolean} [buffers] */
  constructor(client, library, buffers = false) {
    super(client);
    this.Command = isVersion4(library) ? library.Command : null;
    this.buffers = buffers;
  }
  get(/** @type {string} */ key) {
    return this.buffers ? this.client.getBuffer(key) : this.client.get(key);
  }
  command(/** @type {Command} */ words) {
    if (this.Command === null) return issue(this.client, this.buffers, words);
    const [name, ...args] = words;
    // Version 4 finds keys only of lower-case names, and with auto-pipelining its call() drops the name.
    const command = new this.Command(name.toLowerCase(), args, {
      replyEncoding: this.buffers ? null : 'utf8',
    });
    this.client.sendCommand(command);
    return command.promise;
  }
  transaction(/** @type {Command[]} */ commands) {
    return this.#sendAll(commands, this.client.multi());
  }
  pipeline(/** @type {Command[]} */ commands) {
    return this.#sendAll(commands, this.client.pipeline());
  }
  /** @param {Command[]} commands @param {Untyped} chain in version 4 it knows lower-case names only */
  #sendAll(commands, chain) {
    for (const [name, ...args] of commands)
      issue(chain, this.buffers, [this.Command ? name.toLowerCase() : name, ...args]);
    return repliesOf(chain.exec());
  }
  /** @returns {Batch} */
  batch() {
    return new IoredisBatch(this.client.pipeline(), this.buffers);
  }
  /** @param {string} channel @param {(text: string) => void} listener */
  async subscribe(channel, listener) {
    this.client.on('message', (/** @type {string} */ from, /** @type {string} */ text) => {
      if (from === channel) listener(text);
    });
    await this.client.subscribe(channel);
  }
  async close() {
    // QUIT would overtake commands that auto-pipelining holds back.
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

class IoredisBatch extends ClientBatch {
  /** @param {Untyped} chain @param {boolean} buffers */
  constructor(chain, buffers) {
    super(chain);
    this.buffers = buffers;
  }
  get(/** @type {string} */ key) {
    if (!this.buffers) return super.get(key);
    this.commandCount++;
    this.chain.getBuffer(key);
  }
  command(/** @type {Command} */ args) {
    this.commandCount++;
    issue(this.chain, this.buffers, args);
  }
  exec() {
    return this.fold(repliesOf(this.chain.exec()));
  }
}

/** @param {Promise<[error: Error | null, result: unknown][] | null>} results @returns {Promise<unknown[]>} */
const repliesOf = async (results) => ((await results) ?? []).map(([error, reply]) => error ?? reply);

/** It follows MOVED and ASK, but takes a batch only if all its keys are on one node. */
class IoredisClusterConnection extends IoredisConnection {
  /** To every node: it connects to a node only when the first command for it comes. */
  async ping() {
    const role = this.client.options.scaleReads === 'master' ? 'master' : 'all';
    /** @type {Redis[]} */
    const nodes = this.client.nodes(role);
    return (await Promise.all(nodes.map((node) => node.ping())))[0];
  }
  batch() {
    return new CommandBatch(this);
  }
  pipeline(/** @type {Command[]} */ commands) {
    return pipelineByNode(
      commands,
      (slot) => this.client.slots[slot]?.[0],
      // It sends unknown commands to any node, and a pipeline does not follow MOVED.
      (part) =>
        part.every(([name]) => isKnown(name))
          ? super.pipeline(part)
          : Promise.all(
              part.map((args) => this.command(args).catch((/** @type {unknown} */ error) => error)),
            ),
    );
  }
}

/** @param {Untyped} sender a client or a chain @param {boolean} buffers @param {Command} command */
function issue(sender, buffers, command) {
  if (!buffers) return sender.call(...command);
  const [name, ...args] = command;
  // With auto-pipelining callBuffer() drops the name, as of 6.0.0. hgetallBuffer() makes an object, so use one way everywhere.
  const method = `${name.toLowerCase()}Buffer`;
  return method in sender ? sender[method](...args) : sender.callBuffer(name, ...args);
}

/** @param {typeof import('ioredis')} library */
const isVersion4 = ({ Redis }) => Redis === undefined;

/** @param {Target} target */
function addressOf({ transport, host, port, path, tls }) {
  if (transport === 'unix') return { path };
  return transport === 'tls' ? { host, port, tls: { ...tls } } : { host, port };
}

/** @param {Target} target @param {boolean} recovers */
const behindSentinels = ({ sentinels, masterName, transport, tls, ...target }, recovers) => ({
  sentinels,
  name: masterName,
  sentinelUsername: target.sentinelUsername,
  sentinelPassword: target.sentinelPassword,
  ...(transport === 'tls' && { tls: { ...tls }, sentinelTLS: { ...tls }, enableTLSForSentinelMode: true }),
  ...(recovers ? {} : { sentinelRetryStrategy: () => null }),
});
