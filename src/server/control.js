import { messageOf } from '../errors.js';
import { within } from '../process/wait.js';
import { ANSWER_WITHIN_MS, explainLoss, explainRefusal } from './explain.js';
import { parseInfo } from './info.js';
import { addressOf } from './sockets.js';

/** @import { Control, InfoReply, Target } from './types.js' */

/**
 * The tool's own connection to a server, never used for measuring. It speaks RESP2 and skips every optional handshake,
 * so that it works with any Redis-like server and costs it little.
 * @param {Target} target @returns {Promise<Control>}
 * @throws {ServerError} when nothing answers, it is not Redis, or it does not let us in
 */
export async function connectControl(target) {
  const { send, close } = await createLink(target);
  return {
    ping: () => send('PING'),
    set: (key, value) => send('SET', key, value),
    info: async () => infoReply(await send('INFO', 'all').catch(unlessDenied)),
    async config(name) {
      const reply = await send('CONFIG', 'GET', name).catch(() => null);
      return Array.isArray(reply) && reply.length > 1 ? String(reply[1]) : null;
    },
    command: send,
    close,
  };
}

/**
 * A connection that is opened again after CLIENT KILL, a proxy or the server's timeout has cut it.
 * @param {Target} target
 */
async function createLink(target) {
  let client = await open(target);
  let closed = false;
  /** @type {Promise<void> | undefined} */
  let renewal;

  const isCut = () => !client.isReady && !closed;
  const renew = () => {
    renewal ??= open(target)
      .then((opened) => {
        client = opened;
        if (closed) client.destroy();
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };
  return {
    /** @param {string[]} args */
    async send(...args) {
      const ask = () => within(ANSWER_WITHIN_MS, client.sendCommand(args));
      try {
        if (isCut()) await renew();
        return await ask().catch(async (error) => {
          if (!isCut()) throw error;
          // Nothing here is measured, so it may be sent twice.
          await renew();
          return ask();
        });
      } catch (error) {
        throw explainLoss(error, target);
      }
    },

    close() {
      closed = true;
      if (client.isOpen) client.destroy();
    },
  };
}

/** @param {unknown} reply @returns {InfoReply | null} null where INFO is not allowed */
function infoReply(reply) {
  if (reply === null) return null;
  const text = String(reply);
  const length = Buffer.byteLength(text);
  return {
    fields: parseInfo(text),
    requestBytes: '*2\r\n$4\r\nINFO\r\n$3\r\nall\r\n'.length,
    replyBytes: `$${length}\r\n\r\n`.length + length,
  };
}

/** @param {Target} target @returns a connected client that has answered PING @throws {ServerError} */
async function open(target) {
  const { createClient } = await import('redis');
  const { username, password, database, tls } = target;
  const client = createClient({
    RESP: 2,
    username,
    password,
    database,
    disableClientInfo: true,
    socket: {
      ...addressOf(target),
      ...(target.transport === 'tls' && { ...tls, tls: true }),
      connectTimeout: ANSWER_WITHIN_MS,
      reconnectStrategy: false,
    },
  });
  /** @type {unknown} */
  let firstError;
  const failed = new Promise((_, reject) => {
    client.on('error', (error) => {
      firstError ??= error;
      reject(error);
    });
  });
  failed.catch(() => {});
  try {
    await within(ANSWER_WITHIN_MS, Promise.race([client.connect().then(() => client.ping()), failed]));
    return client;
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw await explainRefusal(firstError ?? error, target);
  }
}

/** @param {unknown} error */
function unlessDenied(error) {
  if (/NOPERM|unknown command/i.test(messageOf(error))) return null;
  throw error;
}

/**
 * Has a server tell of every command that it executes, until it is closed.
 * @param {Target} target @param {(line: string) => void} onLine told of each, as MONITOR writes it, a byte a character
 * @returns {Promise<{lost: () => Error | null, close: () => void}>}
 * @throws {ServerError} when it cannot be reached, or does not allow MONITOR
 */
export async function monitor(target, onLine) {
  const client = await open(target);
  /** @type {Error | null} */
  let lost = null;
  client.on('error', (error) => {
    lost ??= explainLoss(error, target);
  });
  try {
    await within(
      ANSWER_WITHIN_MS,
      client.monitor((line) => onLine(`${line}`)),
    );
  } catch (error) {
    client.destroy();
    throw await explainRefusal(error, target);
  }
  return {
    lost: () => lost,
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}
