import { ByCommand, transactionByPipeline } from './command-batch.js';

/** @import { Command, Connection } from '../types.js' */

const NEEDED = /** @type {const} */ (['command', 'close']);

const { get, set, hset, exists, del, ping } = ByCommand.prototype;

/** Optional members, made of the required ones. @type {Record<string, (this: Connection, ...args: any[]) => unknown>} */
const MADE = {
  ...{ get, set, hset, exists, del, ping },
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

/** @param {any} connection from connect() @param {string} client for messages @returns {Connection} the same @throws {Error} */
export function completeConnection(connection, client) {
  const missing = NEEDED.filter((name) => typeof connection?.[name] !== 'function');
  if (missing.length > 0) {
    throw new Error(
      `${client}: connect() must resolve to a connection with ${NEEDED.join('() and ')}(); ` +
        `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`,
    );
  }
  for (const [name, make] of Object.entries(MADE)) {
    if (typeof connection[name] !== 'function') connection[name] = make;
  }
  if (connection.effectiveOptions === undefined) connection.effectiveOptions = {};
  return connection;
}
