/** @import { Batch, Connection } from '../types.js' */

/** @typedef {[string, ...string[]]} Command */

/**
 * A batch for clients whose own has no methods for single commands, or different ones on a cluster: commands
 * are gathered here and sent by the connection's pipeline().
 */
export class CommandBatch {
  /** @type {Command[]} */
  #commands = [];
  /** @type {{at: number, commands: Command[]}[]} each with its place among all replies */
  #transactions = [];
  #connection;

  /** @param {Pick<Connection, 'pipeline' | 'transaction'>} connection */
  constructor(connection) {
    this.#connection = connection;
  }
  get(/** @type {string} */ key) {
    this.#commands.push(['GET', key]);
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    this.#commands.push(['SET', key, value]);
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    this.#commands.push(['HSET', key, field, value]);
  }
  exists(/** @type {string} */ key) {
    this.#commands.push(['EXISTS', key]);
  }
  del(/** @type {string} */ key) {
    this.#commands.push(['DEL', key]);
  }
  command(/** @type {Command} */ args) {
    this.#commands.push(args);
  }
  /** On a cluster its keys are on one node, and the batch is split: so it is sent beside it, and at the same time. */
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

/**
 * @param {Connection} connection
 * @returns {Batch} the client's own batch, if it has one
 */
export const openBatch = (connection) => connection.batch?.() ?? new CommandBatch(connection);
