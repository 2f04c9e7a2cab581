/** @import { Batch, Connection } from '../types.js' */

/** @typedef {[string, ...string[]]} Command */

/**
 * A batch for clients whose own has no methods for single commands, or different ones on a cluster: commands
 * are gathered here and sent by the connection's pipeline().
 */
export class CommandBatch {
  /** @type {Command[]} */
  #commands = [];
  #connection;

  /** @param {Pick<Connection, 'pipeline'>} connection */
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
  exec() {
    return this.#connection.pipeline(this.#commands);
  }
}

/**
 * @param {Connection} connection
 * @returns {Batch} the client's own batch, if it has one
 */
export const openBatch = (connection) => connection.batch?.() ?? new CommandBatch(connection);
