import { setImmediate } from 'node:timers/promises';
import { createCallCounts } from '../../call-counts.js';
import { isListed, isOwnPattern, permissionText, placesIn } from '../../command-places.js';
import { knownPlaces } from './command-keys.js';
import { asTransaction, openBatch } from './connections.js';

/** @import { Batch, Command, Connection, CycleContext, HandedConnection, Step, WorkloadPlugin } from '../types.js' */

/**
 * The one step of a workload that is code.
 * @param {Pick<WorkloadPlugin, 'id' | 'iterate' | 'store'>} workload @param {any} parameter
 * @param {CycleContext} context @returns {Step}
 */
export function createCodeStep({ id, iterate, store }, parameter, context) {
  const keys = createOwnKeys(context);
  const connections = createHandedConnections(keys);
  return {
    command: id,
    async send(connection, item) {
      const before = connections.issued();
      const result = await iterate?.(
        connections.of(/** @type {any} */ (connection)),
        item,
        parameter,
        context,
      );
      // Iterations without a command would block the event loop.
      if (connections.issued() === before) await setImmediate();
      return result;
    },
    accept: (result) => result !== false && !(result instanceof Error),
    wrongText: (result) =>
      result instanceof Error ? result.message : `${id} returned false: a reply was not what it expects`,
    takeCalls: connections.takeCalls,
    keys: keys.all,
    async store(connection, item) {
      await store?.(connections.of(connection), item, parameter);
      connections.takeCalls();
    },
  };
}

/** Connections that count each command, for comparison with the server, and note its keys. @param {OwnKeys} keys */
function createHandedConnections(keys) {
  /** @type {WeakMap<Connection, HandedConnection>} */
  const handed = new WeakMap();
  const calls = createCallCounts();
  let issued = 0;

  /** @param {string} name @param {number} [times] */
  function count(name, times = 1) {
    calls.count(name, times);
    issued += times;
  }
  /** @param {Command} command */
  function issueAny(command) {
    keys.addAll(command);
    count(command[0].toLowerCase());
  }
  /** @param {any} sender a connection or a batch */
  function counted(sender) {
    /** @param {string} name of a method whose first argument is a key @returns {(key: string, ...rest: string[]) => any} */
    const onKey =
      (name) =>
      (key, ...rest) => {
        keys.add(key, name);
        count(name);
        return sender[name](key, ...rest);
      };
    return {
      get: onKey('get'),
      set: onKey('set'),
      hset: onKey('hset'),
      exists: onKey('exists'),
      del: onKey('del'),
      command(/** @type {Command} */ args) {
        issueAny(args);
        return sender.command(args);
      },
      transaction(/** @type {Command[]} */ commands) {
        asTransaction(commands).forEach(issueAny);
        return sender.transaction(commands);
      },
    };
  }
  /** @param {Connection} connection @returns {HandedConnection} */
  const handOut = (connection) => ({
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
    declare(command, times) {
      keys.checkName(command);
      count(command.toLowerCase(), times);
    },
  });

  return {
    /** @param {Connection} connection @returns {HandedConnection} the same each time */
    of(connection) {
      const known = handed.get(connection);
      if (known !== undefined) return known;
      const made = handOut(connection);
      handed.set(connection, made);
      return made;
    },
    issued: () => issued,
    takeCalls: calls.take,
  };
}

/** A worker keeps them in memory, to remove them at the end. */
const MOST_KEYS = 1_000_000;

/** @typedef {ReturnType<typeof createOwnKeys>} OwnKeys */

/** The keys that a user's code makes from those it is given. @param {CycleContext} context */
function createOwnKeys({ keyPrefix: prefix = '', anyCommand = false }) {
  /** @type {Set<string>} */
  const keys = new Set();

  /** @param {string} key @param {string} command @throws {Error} if it is not this tool's */
  function add(key, command) {
    if (keys.has(key)) return;
    if (!key.startsWith(prefix)) {
      throw new Error(
        `${command.toUpperCase()} of the key '${key}', which is not this tool's: expected one that starts with the ` +
          `item's, such as \`\${item.key}:cart\``,
      );
    }
    if (keys.size === MOST_KEYS) {
      throw new Error(`it made more than ${MOST_KEYS} different keys, too many to remove again`);
    }
    keys.add(key);
  }

  /** @param {string[]} command @throws {Error} if it needs to be allowed */
  function unlisted([name, ...args]) {
    if (!anyCommand) throw new Error(permissionText(name));
    return knownPlaces(
      [name, ...args],
      args.map(String).filter((arg) => arg.startsWith(prefix)),
    );
  }

  return {
    add,

    /** @param {string[]} command */
    addAll(command) {
      const [name] = command;
      const { keys, patterns } = placesIn(command) ?? unlisted(command);
      for (const key of keys) add(key, name);
      for (const pattern of patterns) if (!isOwnPattern(pattern, prefix)) add(pattern, name);
    },

    /** @param {string} name of a command that was sent elsewhere @throws {Error} */
    checkName(name) {
      if (!anyCommand && !isListed(name)) throw new Error(permissionText(name));
    },

    all: () => [...keys],
  };
}
