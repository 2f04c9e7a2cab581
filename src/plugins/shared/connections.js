import { messageOf } from '../../errors.js';

/** @import { Batch, Command, Connection, Commands, ConnectionMode, EventSource, Untyped } from '../types.js' */

/** @param {Pick<Connection, 'pipeline'>} connection @param {Command[]} commands @returns {Promise<unknown[]>} */
export async function transactionByPipeline(connection, commands) {
  const reply = transactionReply(await connection.pipeline(asTransaction(commands)));
  if (reply instanceof Error) throw reply;
  return reply;
}

/** @param {Command[]} commands @returns {Command[]} as sent: with MULTI and EXEC */
export const asTransaction = (commands) => [['MULTI'], ...commands, ['EXEC']];

/** @param {unknown[]} replies to MULTI, each command and EXEC @returns {unknown[] | Error} those of EXEC, or what went wrong */
function transactionReply(replies) {
  const failed = replies.find((reply) => reply instanceof Error);
  if (failed !== undefined) return failed;
  const unqueued = replies.slice(1, -1).find((reply) => reply !== 'QUEUED');
  if (unqueued !== undefined) return new Error(`expected QUEUED in a transaction, got ${String(unqueued)}`);
  const all = replies.at(-1);
  return Array.isArray(all) ? all : new Error(`expected the replies of a transaction, got ${String(all)}`);
}

/** Methods of a connection or a batch, made of its `command`. */
export class ByCommand {
  /** Overridden. @param {Command} _command @returns {Untyped} */
  command(_command) {}
  get(/** @type {string} */ key) {
    return this.command(['GET', key]);
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    return this.command(['SET', key, value]);
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    return this.command(['HSET', key, field, value]);
  }
  exists(/** @type {string} */ key) {
    return this.command(['EXISTS', key]);
  }
  del(/** @type {string} */ key) {
    return this.command(['DEL', key]);
  }
  ping() {
    return this.command(['PING']);
  }
}

/** A batch in which each transaction has one reply instead of one per command. */
export class FoldingBatch extends ByCommand {
  commandCount = 0;
  /** @type {{at: number, length: number}[] | undefined} */
  spans;

  transaction(/** @type {Command[]} */ commands) {
    const all = asTransaction(commands);
    this.spans ??= [];
    this.spans.push({ at: this.commandCount, length: all.length });
    for (const command of all) this.command(command);
  }
  /** @param {Promise<unknown[]>} all one per command @returns {Promise<unknown[]>} */
  fold(all) {
    const last = this.spans?.reverse();
    return last === undefined
      ? all
      : all.then((replies) => {
          for (const { at, length } of last)
            replies.splice(at, 0, transactionReply(replies.splice(at, length)));
          return replies;
        });
  }
}

/** Sends by the connection's pipeline(), for clients without a batch of the same methods. */
export class CommandBatch extends ByCommand {
  /** @type {Command[]} */
  #commands = [];
  /** @type {{at: number, commands: Command[]}[]} `at`: its place among the replies */
  #transactions = [];
  #connection;

  /** @param {Pick<Connection, 'pipeline' | 'transaction'>} connection */
  constructor(connection) {
    super();
    this.#connection = connection;
  }
  command(/** @type {Command} */ args) {
    this.#commands.push(args);
  }
  /** Sent by itself at the same time, because on a cluster the batch is split by node. */
  transaction(/** @type {Command[]} */ commands) {
    this.#transactions.push({ at: this.#commands.length + this.#transactions.length, commands });
  }
  async exec() {
    if (this.#transactions.length === 0) return this.#connection.pipeline(this.#commands);
    const [replies, ...ofTransactions] = await Promise.all([
      this.#commands.length === 0 ? [] : this.#connection.pipeline(this.#commands),
      ...this.#transactions.map(({ commands }) => this.#connection.transaction(commands)),
    ]);
    for (const [index, { at }] of this.#transactions.entries()) replies.splice(at, 0, ofTransactions[index]);
    return replies;
  }
}

/** @param {Connection} connection @returns {Batch} the client's own, if it has one */
export const openBatch = (connection) => connection.batch?.() ?? new CommandBatch(connection);

/** A class, so that all connections share their methods and V8 optimizes them once. A worker uses one client only. */
export class ClientConnection {
  /** @param {Untyped} client */
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
}

/**
 * Without a listener, an error event would end the process. Commands in flight reject anyway.
 * @template {EventSource} Client @param {Client} client @param {ConnectionMode} [manners] @returns {Client}
 */
export function watched(client, { watch } = {}) {
  client.on('error', () => {});
  watch?.(client);
  return client;
}

/**
 * Connects a client that reports the cause of a failure by an event only.
 * @param {EventSource & {connect: () => Promise<unknown>}} client
 * @param {() => void} end called where that fails @param {ConnectionMode} [manners]
 */
export async function connectOrTell(client, end, manners) {
  /** @type {unknown} */
  let cause;
  watched(client, manners).on('error', (error) => {
    cause = error;
  });
  await client.connect().catch((error) => {
    end();
    throw cause ?? error;
  });
}

/**
 * For what a client sends by itself when it connects.
 * @param {unknown} error of connecting @param {string} command @param {string} hint how it connects without that command
 */
export const hinted = (error, command, hint) =>
  new RegExp(`unknown command .?${command}\\b`, 'i').test(messageOf(error))
    ? new Error(`${messageOf(error)} (${hint})`, { cause: error })
    : error;

/** A client's own batch, which lacks `command` and `exec`. */
export class ClientBatch extends FoldingBatch {
  /** @param {Untyped} chain */
  constructor(chain) {
    super();
    this.chain = chain;
  }
  get(/** @type {string} */ key) {
    this.commandCount++;
    this.chain.get(key);
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    this.commandCount++;
    this.chain.set(key, value);
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    this.commandCount++;
    this.chain.hset(key, field, value);
  }
  exists(/** @type {string} */ key) {
    this.commandCount++;
    this.chain.exists(key);
  }
  del(/** @type {string} */ key) {
    this.commandCount++;
    this.chain.del(key);
  }
}

const { get, set, hset, exists, del, ping } = ByCommand.prototype;

/** Optional members, made of the required ones. @type {Record<string, (this: Connection, ...args: any[]) => unknown>} */
const MADE = {
  get,
  set,
  hset,
  exists,
  del,
  ping,
  pipeline(/** @type {Command[]} */ commands) {
    return Promise.all(
      commands.map((command) => Promise.resolve(this.command(command)).catch((error) => error)),
    );
  },
  transaction(/** @type {Command[]} */ commands) {
    return transactionByPipeline(this, commands);
  },
  destroy() {
    Promise.resolve(this.close()).catch(() => {});
  },
};

/** @param {Untyped} connection from connect() @param {string} client for errors @returns {Connection} the same @throws {Error} */
export function completeConnection(connection, client) {
  if (typeof connection?.command !== 'function' || typeof connection.close !== 'function') {
    throw new Error(`${client}: connect() must resolve to a connection with command() and close()`);
  }
  for (const [name, make] of Object.entries({ ...MADE, effectiveOptions: {} })) connection[name] ??= make;
  return connection;
}

/**
 * A connection whose commands are sent when `issue` decides.
 * @param {Connection} connection
 * @param {(send: (commands: Commands) => unknown) => Promise<any>} issue resolves to the reply @returns {Connection}
 */
export const issueThrough = (connection, issue) => ({
  get: (key) => issue((commands) => commands.get(key)),
  set: (key, value) => issue((commands) => commands.set(key, value)),
  hset: (key, field, value) => issue((commands) => commands.hset(key, field, value)),
  exists: (key) => issue((commands) => commands.exists(key)),
  del: (key) => issue((commands) => commands.del(key)),
  command: (args) => issue((commands) => commands.command(args)),
  transaction: (given) => issue((commands) => commands.transaction(given)),
  // The tool's own commands before and after a run need not wait.
  ping: () => connection.ping(),
  pipeline: (commands) => connection.pipeline(commands),
  close: () => connection.close(),
  destroy: () => connection.destroy(),
  effectiveOptions: connection.effectiveOptions,
});
