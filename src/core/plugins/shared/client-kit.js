import { messageOf } from '../../errors.js';
import { BatchTransactions } from './command-batch.js';

/** @import { Command } from '../types.js' */

/** A class, so that all connections share their methods and V8 optimizes them once. A worker uses one client only. */
export class ClientConnection {
  /** @param {any} client */
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
 * Connects a client that reports the cause of a failure by an event only.
 * @param {{on: (event: 'error', told: (error: unknown) => void) => unknown, connect: () => Promise<unknown>}} client
 * @param {() => void} end called where that fails
 */
export async function connectOrTell(client, end) {
  /** @type {unknown} */
  let cause;
  client.on('error', (error) => {
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
export class ClientBatch {
  commands = 0;
  /** @type {BatchTransactions | undefined} */
  transactions;

  /** @param {any} chain */
  constructor(chain) {
    this.chain = chain;
  }
  get(/** @type {string} */ key) {
    this.commands++;
    this.chain.get(key);
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    this.commands++;
    this.chain.set(key, value);
  }
  hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
    this.commands++;
    this.chain.hset(key, field, value);
  }
  exists(/** @type {string} */ key) {
    this.commands++;
    this.chain.exists(key);
  }
  del(/** @type {string} */ key) {
    this.commands++;
    this.chain.del(key);
  }
  transaction(/** @type {Command[]} */ commands) {
    this.transactions ??= new BatchTransactions();
    this.transactions.add(/** @type {any} */ (this), commands, this.commands);
  }
  /** @param {Promise<unknown[]>} replies @returns {Promise<unknown[]>} one for each transaction */
  fold(replies) {
    return this.transactions === undefined ? replies : this.transactions.fold(replies);
  }
}
