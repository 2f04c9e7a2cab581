/** @import { Batch, Command, Connection } from '../types.js' */

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
  if (failed !== undefined) return /** @type {Error} */ (failed);
  const unqueued = replies.slice(1, -1).find((reply) => reply !== 'QUEUED');
  if (unqueued !== undefined) return new Error(`expected QUEUED in a transaction, got ${String(unqueued)}`);
  const all = replies.at(-1);
  return Array.isArray(all) ? all : new Error(`expected the replies of a transaction, got ${String(all)}`);
}

/** The transactions in a batch: each has one reply instead of one per command. */
export class BatchTransactions {
  /** @type {{at: number, length: number}[]} */
  #spans = [];

  /** @param {{command(args: Command): unknown}} batch @param {Command[]} commands @param {number} before in the batch */
  add(batch, commands, before) {
    const all = asTransaction(commands);
    for (const command of all) batch.command(command);
    this.#spans.push({ at: before, length: all.length });
  }

  /** @param {Promise<unknown[]>} all one per command @returns {Promise<unknown[]>} one per transaction */
  async fold(all) {
    const replies = await all;
    /** @type {unknown[]} */
    const folded = [];
    let next = 0;
    for (const { at, length } of this.#spans) {
      folded.push(...replies.slice(next, at), transactionReply(replies.slice(at, at + length)));
      next = at + length;
    }
    folded.push(...replies.slice(next));
    return folded;
  }
}

/** Methods of a connection or a batch, made of its `command`. */
export class ByCommand {
  /** Overridden. @param {Command} _command @returns {any} */
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
    const all = [...replies];
    for (const [index, { at }] of this.#transactions.entries()) all.splice(at, 0, ofTransactions[index]);
    return all;
  }
}

/** @param {Connection} connection @returns {Batch} the client's own, if it has one */
export const openBatch = (connection) => connection.batch?.() ?? new CommandBatch(connection);
