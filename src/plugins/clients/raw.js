import net from 'node:net';
import { createInbox, ErrorReply, encodeCommand, ProtocolError, readReply } from '../../relay/resp.js';
import { ByCommand, FoldingBatch, transactionByPipeline } from '../shared/connections.js';

/** @import { Target } from '../../server/types.js' */
/** @import { Batch, Connection, ConnectionMode } from '../types.js' */

/** Holds a whole batch of replies. The buffer is reused for every chunk. */
const RECEIVE_BYTES = 256 * 1024;
/** A batch up to this size is copied into one buffer; a larger one is sent by writev. */
const COPY_UP_TO_BYTES = 64 * 1024;
/** Prepared commands for more keys would take too much memory. */
const MOST_PREPARED = 10_000;
/** From so many arguments on, a command is copied together out of their bytes. */
const MANY_ARGUMENTS = 32;
/** Longer ones are hardly keys. */
const LONGEST_PREPARED = 2048;

/**
 * The floor of most tables: a client that does only what is necessary. GET, SET and EXISTS are encoded once for each key, one write
 * takes all that is issued in a turn of the event loop, and each reply to them is compared byte by byte with the last one
 * to the same command. Other commands are encoded and read each time, so libraries may be faster where these have many
 * keys. Not for applications: no TLS, no reconnect, no cluster, no RESP3.
 */
export default {
  title: "this tool's own floor of what a client must do; not for applications",
  package: null,
  floor: true,
  variants: { default: {} },
  capabilities: ['unix', 'pipeline', 'prompt-close', 'buffers', 'transaction-buffers'],
  lacks: {
    bundling: 'no library to bundle',
    recovery: 'no reconnecting of its own',
    replicas: 'no reading from replicas',
    'standalone-replicas': 'no reading from replicas',
  },

  /**
   * @param {Target} target @param {object} [_options] @param {undefined} [_library] @param {ConnectionMode} [manners]
   * @returns {Promise<Connection>}
   */
  async connect(target, _options, _library, { buffers, watch } = {}) {
    const { transport, host, port, path, username = 'default', password, database } = target;
    const address = transport === 'unix' ? { path } : { host, port, noDelay: true };
    const line = await openLine(/** @type {net.NetConnectOpts} */ (address), buffers, watch);
    const connection = new RawConnection(line);
    try {
      if (password !== undefined) await connection.command(['AUTH', username, password]);
      if (database !== undefined) await connection.command(['SELECT', String(database)]);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    return connection;
  },
};

class RawConnection extends ByCommand {
  /** @type {Map<string, Command>} */
  gets = new Map();
  /** @type {Map<string, Command>} */
  sets = new Map();
  /** @type {Map<string, Command>} */
  existences = new Map();
  encode = createEncoder();

  effectiveOptions = { receiveBytes: RECEIVE_BYTES, RESP: 2 };

  /** @param {Awaited<ReturnType<typeof openLine>>} line */
  constructor(line) {
    super();
    this.line = line;
  }
  get(/** @type {string} */ key) {
    return this.line.send(this.commandOfGet(key));
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    return this.line.send(this.commandOfSet(key, value));
  }
  exists(/** @type {string} */ key) {
    return this.line.send(this.commandOfExists(key));
  }
  command(/** @type {string[]} */ args) {
    return this.line.send(this.commandOnce(args));
  }
  commandOnce(/** @type {string[]} */ args) {
    return args.length < MANY_ARGUMENTS ? createCommand(args, ONCE) : createLarge(this.encode(args));
  }
  commandOfGet(/** @type {string} */ key) {
    return this.gets.get(key) ?? prepare(this.gets, key, ['GET', key]);
  }
  commandOfSet(/** @type {string} */ key, /** @type {string} */ value) {
    const known = this.sets.get(key);
    return known?.value === value ? known : prepare(this.sets, key, ['SET', key, value], value);
  }
  commandOfExists(/** @type {string} */ key) {
    return this.existences.get(key) ?? prepare(this.existences, key, ['EXISTS', key]);
  }
  transaction(/** @type {[string, ...string[]][]} */ commands) {
    return transactionByPipeline(this, commands);
  }
  pipeline(/** @type {[string, ...string[]][]} */ commands) {
    const batch = this.batch();
    for (const args of commands) batch.command(args);
    return batch.exec();
  }
  /** @returns {Batch} */
  batch() {
    return new RawBatch(this);
  }
  async close() {
    // Replies come in order: after this one none is missing.
    if (this.line.isWaiting()) await this.ping();
    await this.line.close();
  }
  destroy() {
    this.line.destroy();
  }
}

class RawBatch extends FoldingBatch {
  /** @type {Command[]} */
  commands = [];

  /** @param {RawConnection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
  }
  get(/** @type {string} */ key) {
    this.commands.push(this.connection.commandOfGet(key));
  }
  set(/** @type {string} */ key, /** @type {string} */ value) {
    this.commands.push(this.connection.commandOfSet(key, value));
  }
  exists(/** @type {string} */ key) {
    this.commands.push(this.connection.commandOfExists(key));
  }
  command(/** @type {string[]} */ args) {
    this.commands.push(this.connection.commandOnce(args));
  }
  transaction(/** @type {[string, ...string[]][]} */ commands) {
    this.commandCount = this.commands.length;
    super.transaction(commands);
  }
  exec() {
    const { line } = this.connection;
    const sent = this.commands.map((command) => line.send(command));
    return this.fold(Promise.all(sent).catch(() => withErrorReplies(sent)));
  }
}

/** Its reply is compared with no later one: a copy of a megabyte would cost as much as reading it. */
const ONCE = { isOnce: true };

/** @param {string[]} args @param {{isOnce?: boolean, value?: string}} [how] `value`: that is stored @returns {Command} */
const createCommand = (args, { isOnce = false, value } = {}) => ({
  bytes: encodeCommand(args),
  value,
  isOnce,
  lastReply: null,
  lastValue: null,
});

/** @param {ReturnType<ReturnType<typeof createEncoder>>} encoded @returns {Command} */
const createLarge = ({ bytes, release }) => ({
  bytes,
  release,
  value: undefined,
  isOnce: true,
  lastReply: null,
  lastValue: null,
});

/**
 * Encodes commands of many arguments. The bytes of each argument are kept, since keys come again, and copied into memory
 * that is used again once it was sent: the pages of a new megabyte cost as much as filling it.
 */
function createEncoder() {
  /** @type {Map<string, Buffer>} */
  const prepared = new Map();
  /** @type {Buffer[]} */
  const free = [];

  /** @param {string | Buffer} arg */
  function bytesOf(arg) {
    const known = typeof arg === 'string' ? prepared.get(arg) : undefined;
    if (known !== undefined) return known;
    const end = typeof arg === 'string' ? Buffer.from(`${arg}\r\n`) : Buffer.concat([arg, CR_LF]);
    const bytes = Buffer.concat([Buffer.from(`$${end.length - CR_LF.length}\r\n`), end]);
    const isKept = typeof arg === 'string' && arg.length <= LONGEST_PREPARED && prepared.size < MOST_PREPARED;
    if (isKept) prepared.set(arg, bytes);
    return bytes;
  }

  /** @param {(string | Buffer)[]} args */
  return function encode(args) {
    const parts = args.map(bytesOf);
    const start = `*${args.length}\r\n`;
    let length = start.length;
    for (const part of parts) length += part.length;
    const last = free.pop();
    const memory = last !== undefined && last.length >= length ? last : Buffer.allocUnsafeSlow(length);
    let at = memory.write(start, 'latin1');
    for (const part of parts) {
      memory.set(part, at);
      at += part.length;
    }
    return { bytes: memory.subarray(0, length), release: () => void free.push(memory) };
  };
}

const CR_LF = Buffer.from('\r\n');

/** @param {Map<string, Command>} prepared @param {string} key @param {string[]} args @param {string} [value] */
function prepare(prepared, key, args, value) {
  const command = createCommand(args, { value });
  if (prepared.size < MOST_PREPARED || prepared.has(key)) prepared.set(key, command);
  return command;
}

/** @param {Promise<unknown>[]} replies @returns {Promise<unknown[]>} with error replies in their places */
async function withErrorReplies(replies) {
  const results = await Promise.allSettled(replies);
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if (result.reason instanceof ErrorReply) return result.reason;
    throw result.reason;
  });
}

/**
 * @typedef {{bytes: Buffer, release?: () => void, value: string | undefined, isOnce: boolean, lastReply: Buffer | null,
 *   lastValue: unknown}} Command `release`: once its bytes were sent
 * @typedef {{command: Command, resolve: (value: unknown) => void, reject: (error: Error) => void}} Waiting
 */

/** @param {net.NetConnectOpts} address @param {boolean} [buffers] @param {ConnectionMode['watch']} [watch] */
async function openLine(address, buffers, watch) {
  /** @type {Waiting[]} in the order of sending, and so of replies */
  let waiting = [];
  let answered = 0;
  /** @type {Command[]} */
  let unsent = [];
  /** @type {Error | undefined} */
  let failure;

  const receive = createInbox((bytes, start, end, begun) => {
    if (answered === waiting.length) throw new ProtocolError('a reply came that no command asked for');
    const { command, resolve, reject } = waiting[answered];
    const { lastReply } = command;
    // Nearly every reply equals the last one; comparing bytes is then enough.
    if (lastReply !== null && begun.values === undefined && isAt(bytes, start, end, lastReply)) {
      answered++;
      resolve(command.lastValue);
      return { next: start + lastReply.length };
    }
    const reply = readReply(bytes, start, end, buffers, begun);
    if (reply.next === -1) return reply;
    answered++;
    if (reply.value instanceof ErrorReply) {
      reject(reply.value);
    } else {
      if (!command.isOnce) {
        command.lastReply = Buffer.from(bytes.subarray(start, reply.next));
        command.lastValue = reply.value;
      }
      resolve(reply.value);
    }
    return reply;
  });

  const received = Buffer.allocUnsafe(RECEIVE_BYTES);
  const socket = net.connect({
    ...address,
    onread: {
      buffer: received,
      callback(size) {
        try {
          receive(received, size);
        } catch (error) {
          socket.destroy(/** @type {Error} */ (error));
        }
        if (answered === waiting.length) {
          waiting = [];
          answered = 0;
        } else if (answered > 1024) {
          waiting = waiting.slice(answered);
          answered = 0;
        }
        return true;
      },
    },
  });
  /** @param {Error} error */
  function fail(error) {
    failure ??= error;
    for (const { reject } of waiting.splice(0).slice(answered)) reject(failure);
    answered = 0;
  }
  socket.on('error', fail);
  watch?.(socket);
  socket.on('close', () => fail(new Error('the connection was closed')));
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });

  function flush() {
    const commands = unsent;
    unsent = [];
    if (commands.length === 1) {
      socket.write(commands[0].bytes, commands[0].release);
      return;
    }
    const buffers = commands.map(({ bytes }) => bytes);
    const total = buffers.reduce((sum, { length }) => sum + length, 0);
    if (total <= COPY_UP_TO_BYTES) {
      socket.write(Buffer.concat(buffers, total));
      for (const { release } of commands) release?.();
    } else {
      socket.cork();
      for (const { bytes, release } of commands) socket.write(bytes, release);
      socket.uncork();
    }
  }

  return {
    /** @param {Command} command @returns {Promise<any>} */
    send(command) {
      if (failure) return Promise.reject(failure);
      // After all promise callbacks of this turn: what they issue goes out together.
      if (unsent.length === 0) process.nextTick(flush);
      unsent.push(command);
      return new Promise((resolve, reject) => {
        waiting.push({ command, resolve, reject });
      });
    },

    isWaiting: () => waiting.length > answered,

    async close() {
      if (socket.destroyed) return;
      await new Promise((resolve) => socket.end(() => resolve(undefined)));
      socket.destroy();
    },

    destroy: () => void socket.destroy(),
  };
}

/** Shorter replies are compared faster here than by a call into C++. */
const SHORT = 48;

/** @param {Buffer} bytes @param {number} start @param {number} end @param {Buffer} expected */
function isAt(bytes, start, end, expected) {
  const { length } = expected;
  if (end - start < length) return false;
  if (length > SHORT) return bytes.compare(expected, 0, length, start, start + length) === 0;
  for (let index = 0; index < length; index++) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}
