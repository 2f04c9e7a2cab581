/** @import { Batch, Command, Connection } from '../types.js' */

/** @param {Command[]} commands @returns {Command[]} with MULTI before and EXEC after them, as they stand on the wire */
export const asTransaction = (commands) => [['MULTI'], ...commands, ['EXEC']];

/**
 * Reads the replies to a transaction that was sent command by command.
 * @param {unknown[]} replies to MULTI, to each command, and to EXEC
 * @returns {unknown[] | Error} what EXEC gave for the commands, or what went wrong
 */
export function transactionReply(replies) {
  const failed = replies.find((reply) => reply instanceof Error);
  if (failed !== undefined) return /** @type {Error} */ (failed);
  const unqueued = replies.slice(1, -1).find((reply) => reply !== 'QUEUED');
  if (unqueued !== undefined) return new Error(`expected QUEUED in a transaction, got ${String(unqueued)}`);
  const all = replies.at(-1);
  return Array.isArray(all) ? all : new Error(`expected the replies of a transaction, got ${String(all)}`);
}

/** The transactions in a batch, in which each has one place, and not one for each of its commands. */
export class BatchTransactions {
  /** @type {{at: number, length: number}[]} */
  #spans = [];

  /**
   * @param {{command(args: Command): unknown}} batch @param {Command[]} commands
   * @param {number} before commands in the batch so far, each of a transaction counted
   */
  add(batch, commands, before) {
    const all = asTransaction(commands);
    for (const command of all) batch.command(command);
    this.#spans.push({ at: before, length: all.length });
  }

  /** @param {Promise<unknown[]>} all replies, to each command @returns {Promise<unknown[]>} one for each transaction */
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

/** The methods of a connection or a batch, made of its `command`. */
export class ByCommand {
  /** Whoever extends this has its own. @param {Command} _command @returns {any} */
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

/**
 * A batch for clients whose own has no methods for single commands, or different ones on a cluster: commands
 * are gathered here and sent by the connection's pipeline().
 */
export class CommandBatch extends ByCommand {
  /** @type {Command[]} */
  #commands = [];
  /** @type {{at: number, commands: Command[]}[]} each with its place among all replies */
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
  /** On a cluster its keys are on one node, and the batch is split: so it is sent by itself, at the same time. */
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

/** @param {Connection} connection @returns {Batch} the client's own batch, if it has one */
export const openBatch = (connection) => connection.batch?.() ?? new CommandBatch(connection);
