import { setImmediate } from 'node:timers/promises';
import { isUint8Array } from 'node:util/types';
import { sum } from '../../descriptive-statistics.js';
import { isListed, isOwnPattern, permissionText, placesIn } from '../../server/command-places.js';
import { createCallCounts } from './call-counts.js';
import { knownPlaces, onlyReads } from './command-keys.js';
import { asTransaction, openBatch } from './connections.js';
import { repliedByNumber, sizeOf, storedByNumber } from './sized-commands.js';

/** @import { Command, Connection, CycleContext, HandedConnection, Step, WorkloadPlugin, Untyped } from '../types.js' */

/** A worker keeps them in memory, to remove them at the end. */
const MOST_KEYS = 1_000_000;

/** What one command may take, which a few characters may ask for. */
const MOST_BYTES = 64e6;

/** Methods of a connection and a batch whose first argument is a key. */
const ON_KEY = ['get', 'set', 'hset', 'exists', 'del'];

/**
 * What was checked is what is sent, whatever the user's code or a Proxy does to its own list meanwhile. A list within a
 * command is refused, because some clients send its parts as words of their own.
 * @param {Iterable<unknown>} command @returns {Command}
 */
const copyOf = (command) => /** @type {any} */ (Array.from(command, copyOfWord));

/** @param {any} word @returns {any} @throws {Error} */
function copyOfWord(word) {
  if (isUint8Array(word)) return Buffer.from(word);
  if (word !== null && ['object', 'function', 'symbol'].includes(typeof word))
    throw new Error(`expected texts, numbers and Buffers in a command, got something of type ${typeof word}`);
  return word;
}

/** @param {string} what @param {number} mostBytes @param {string} advice */
const tooMuch = (what, mostBytes, advice) =>
  new Error(`${what} may take over ${(mostBytes / 1e6).toFixed(1)} MB of the server's memory: use ${advice}`);

/**
 * The one step of a workload that is code. Each command is counted, for comparison with the server, and its keys are noted.
 * @param {Pick<WorkloadPlugin, 'id' | 'store'> & Required<Pick<WorkloadPlugin, 'iterate'>>} workload
 * @param {Untyped} parameter @param {CycleContext} context @returns {Step}
 */
export function createCodeStep({ id, iterate, store }, parameter, context) {
  const { keyPrefix: prefix = '', anyCommand = false, untriedBytes = Number.POSITIVE_INFINITY } = context;
  const mostBytes = Math.min(MOST_BYTES, untriedBytes);
  /** @type {Set<string>} */
  const keys = new Set();
  const calls = createCallCounts();
  let issued = 0;
  let isTried = false;
  let bytesUntried = 0;
  /** How long the words were that were sent, and what was replied for a key. */
  let longest = 0;
  /** Keys of reads in flight: what they reply waits in the server's buffer until its client has read it. */
  let readsInFlight = 0;

  /**
   * Before it is sent, because one command may fill a server's memory.
   * @param {Command} command @param {number} [keys] that it names
   * @returns {number} those that it reads, if it only reads @throws {Error} if that is too much at once
   */
  function weigh(command, keys = 1) {
    let sent = 0;
    for (const word of command) {
      const { length } = isUint8Array(word) ? word : `${word}`;
      sent += length;
      if (length > longest) longest = length;
    }
    const bytes = sent + storedByNumber(command) + repliedByNumber(command, longest);
    bytesUntried += bytes;
    if (bytes > mostBytes || (!isTried && bytesUntried > untriedBytes)) {
      const most = bytes > mostBytes ? mostBytes : untriedBytes;
      throw tooMuch(`${command[0]}`.toUpperCase(), most, 'shorter values or smaller numbers');
    }
    return onlyReads([`${command[0]}`]) ? keys : 0;
  }

  /**
   * @template T @param {number} reads keys that it reads @param {() => Promise<T>} send
   * @returns {Promise<T>} @throws {Error} if too many are in flight
   */
  function awaited(reads, send) {
    if (reads === 0) return send();
    if ((readsInFlight + reads) * longest > untriedBytes)
      throw tooMuch('its reads in flight', untriedBytes, 'fewer at once');
    readsInFlight += reads;
    return send().then(
      (reply) => {
        readsInFlight -= reads;
        longest = Math.max(longest, sizeOf(reply) / reads);
        return reply;
      },
      (error) => {
        readsInFlight -= reads;
        throw error;
      },
    );
  }

  /** @param {string} key @param {string} command @throws {Error} if it is not this tool's */
  function addKey(key, command) {
    if (keys.has(key)) return;
    if (key.includes('\uFFFD'))
      throw new Error(
        `${command.toUpperCase()}: expected a key in UTF-8, because others could not be removed again`,
      );
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

  /** @param {Command} command @throws {Error} if it needs to be allowed */
  function unlisted(command) {
    if (!anyCommand) throw new Error(permissionText(command[0]));
    const own = command.map(String).filter((arg, at) => at > 0 && arg.startsWith(prefix));
    return knownPlaces(command, own);
  }

  /** @param {string} name @param {number} [times] */
  function count(name, times = 1) {
    calls.count(name, times);
    issued += times;
  }

  /** @param {Command} command @returns {number} keys that it reads, if it only reads */
  function issue(command) {
    const [name] = command;
    const places = placesIn(command) ?? unlisted(command);
    const reads = weigh(command, places.keys.length);
    for (const key of places.keys) addKey(key, name);
    for (const pattern of places.patterns) if (!isOwnPattern(pattern, prefix)) addKey(pattern, name);
    count(name.toLowerCase());
    return reads;
  }

  /** @param {Command[]} commands @returns {number} */
  const issueAll = (commands) => sum(commands.map(issue));

  /**
   * @param {Untyped} sender a connection or a batch @param {(reads: number, send: () => any) => unknown} pass
   * @returns {Untyped} what a user's code may call of both
   */
  const counted = (sender, pass) => ({
    ...Object.fromEntries(
      ON_KEY.map((name) => [
        name,
        (/** @type {unknown[]} */ ...given) => {
          const words = copyOf(given);
          const reads = weigh([name, ...words]);
          addKey(`${words[0]}`, name);
          count(name);
          return pass(reads, () => sender[name](...words));
        },
      ]),
    ),
    command(/** @type {Command} */ given) {
      const command = copyOf(given);
      const reads = issue(command);
      return pass(reads, () => sender.command(command));
    },
    transaction(/** @type {Command[]} */ given) {
      const commands = Array.from(given, copyOf);
      const reads = issueAll(asTransaction(commands));
      return pass(reads, () => sender.transaction(commands));
    },
  });

  /** @type {WeakMap<Connection, HandedConnection>} */
  const handed = new WeakMap();

  /** @param {Connection} connection @returns {HandedConnection} the same each time */
  function handOut(connection) {
    const known = handed.get(connection);
    if (known !== undefined) return known;
    const made = {
      ...counted(connection, awaited),
      ping() {
        count('ping');
        return connection.ping();
      },
      pipeline(/** @type {Command[]} */ given) {
        const commands = Array.from(given, copyOf);
        const reads = issueAll(commands);
        return awaited(reads, () => connection.pipeline(commands));
      },
      batch() {
        const batch = openBatch(connection);
        let ofBatch = 0;
        const add = (/** @type {number} */ reads, /** @type {() => unknown} */ queue) => {
          ofBatch += reads;
          return queue();
        };
        return { ...counted(batch, add), exec: () => awaited(ofBatch, () => batch.exec()) };
      },
      client: connection,
      declare(/** @type {string} */ command, /** @type {number | undefined} */ times) {
        if (!anyCommand && !isListed(command)) throw new Error(permissionText(command));
        count(command.toLowerCase(), times);
      },
    };
    handed.set(connection, made);
    return made;
  }

  return {
    command: id,
    async send(connection, item) {
      const before = issued;
      const own = handOut(/** @type {Connection} */ (connection));
      const result = await iterate(own, item, parameter, context);
      // Iterations without a command would block the event loop.
      if (issued === before) await setImmediate();
      return result;
    },
    accept: (result) => result !== false && !(result instanceof Error),
    wrongText: (result) =>
      result instanceof Error ? result.message : `${id} returned false: a reply was not what it expects`,
    takeCalls() {
      isTried = true;
      return calls.take();
    },
    keys: () => [...keys],
    async store(connection, item) {
      await store?.(handOut(connection), item, parameter);
      calls.take();
    },
  };
}
