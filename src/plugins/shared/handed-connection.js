import { openBatch } from './command-batch.js';
import { asTransaction } from './transaction.js';

/**
 * @import { Batch, Connection, HandedConnection } from '../types.js'
 * @import { createOwnKeys } from './own-keys.js'
 */

/** @typedef {[string, ...string[]]} Command */

/**
 * Connections for code that sends what it likes: each command is counted, so that the server's counters can be held
 * against them, and its keys are known.
 *
 * @param {ReturnType<typeof createOwnKeys>} keys
 */
export function createHandedConnections(keys) {
  /** @type {WeakMap<Connection, HandedConnection>} */
  const handed = new WeakMap();
  /** @type {Record<string, number>} */
  let calls = {};
  let issued = 0;

  /** @param {string} name @param {number} [times] */
  function count(name, times = 1) {
    calls[name] = (calls[name] ?? 0) + times;
    issued += times;
  }
  /** @param {string} name @param {string} key */
  function issue(name, key) {
    keys.add(key, name);
    count(name);
  }
  /** @param {Command} command */
  function issueAny(command) {
    keys.addAll(command);
    count(command[0].toLowerCase());
  }

  return {
    /** @param {Connection} connection @returns {HandedConnection} always the same for the same connection */
    of(connection) {
      const known = handed.get(connection);
      if (known !== undefined) return known;
      const made = handOut(connection, { issue, issueAny, count });
      handed.set(connection, made);
      return made;
    },

    /** @returns {number} commands so far */
    issued: () => issued,

    /** @returns {Record<string, number>} commands since the last call, by their names in lower case */
    takeCalls() {
      const taken = calls;
      calls = {};
      return taken;
    },
  };
}

/**
 * @param {Connection} connection
 * @param {object} notes
 * @param {(name: string, key: string) => void} notes.issue
 * @param {(command: Command) => void} notes.issueAny
 * @param {(name: string, times?: number) => void} notes.count
 * @returns {HandedConnection}
 */
function handOut(connection, { issue, issueAny, count }) {
  /**
   * @template {Pick<Connection, 'get' | 'set' | 'hset' | 'exists' | 'del' | 'command' | 'transaction'> | Batch} Sender
   * @param {Sender} sender
   */
  const counted = (sender) => ({
    get(/** @type {string} */ key) {
      issue('get', key);
      return /** @type {any} */ (sender.get(key));
    },
    set(/** @type {string} */ key, /** @type {string} */ value) {
      issue('set', key);
      return /** @type {any} */ (sender.set(key, value));
    },
    hset(/** @type {string} */ key, /** @type {string} */ field, /** @type {string} */ value) {
      issue('hset', key);
      return /** @type {any} */ (sender.hset(key, field, value));
    },
    exists(/** @type {string} */ key) {
      issue('exists', key);
      return /** @type {any} */ (sender.exists(key));
    },
    del(/** @type {string} */ key) {
      issue('del', key);
      return /** @type {any} */ (sender.del(key));
    },
    command(/** @type {Command} */ args) {
      issueAny(args);
      return /** @type {any} */ (sender.command(args));
    },
    transaction(/** @type {Command[]} */ commands) {
      asTransaction(commands).forEach(issueAny);
      return /** @type {any} */ (sender.transaction(commands));
    },
  });

  return {
    ...counted(connection),
    ping() {
      count('ping');
      return connection.ping();
    },
    pipeline(commands) {
      commands.forEach(issueAny);
      return connection.pipeline(commands);
    },
    batch() {
      const batch = openBatch(connection);
      return { ...counted(batch), exec: () => batch.exec() };
    },
    client: connection,
    declare: (command, times) => count(command.toLowerCase(), times),
  };
}
