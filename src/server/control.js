import { messageOf } from '../errors.js';
import { ANSWER_WITHIN_MS, explainLoss, explainRefusal } from './explain.js';
import { parseInfo } from './info.js';
import { within } from './within.js';

/** @import { Control, InfoReply, Target } from './types.js' */

/**
 * The tool's own connection to a server: for INFO, CONFIG GET and PING, never for measuring.
 * It speaks RESP2 and skips all optional handshakes, so that any Redis-like server will do and
 * opening it costs the server nothing but the connection.
 *
 * @param {Target} target
 * @returns {Promise<Control>}
 * @throws {ServerError} when nothing answers, it is no Redis, or it does not let us in
 */
export async function connectControl(target) {
  let client = await open(target);
  let closed = false;
  /** @type {Promise<void> | undefined} */
  let renewal;

  /** Opens it again where it was cut since: by CLIENT KILL, a proxy, or the server's own timeout. */
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

  const isCut = () => !client.isReady && !closed;

  /** @param {string[]} args */
  const send = async (...args) => {
    const ask = () => within(ANSWER_WITHIN_MS, client.sendCommand(args));
    try {
      if (isCut()) await renew();
      return await ask().catch(async (error) => {
        if (!isCut()) throw error;
        // What is sent here may be sent twice, other than what is measured.
        await renew();
        return ask();
      });
    } catch (error) {
      throw explainLoss(error, target);
    }
  };
  return {
    ping: () => send('PING'),

    /** @param {string} key @param {string} value */
    set: (key, value) => send('SET', key, value),

    /** @param {string} key */
    del: (key) => send('DEL', key),

    /** @returns {Promise<InfoReply | null>} null where INFO is not allowed */
    async info() {
      const reply = await send('INFO', 'all').catch(unlessDenied);
      if (reply === null) return null;
      const text = String(reply);
      const length = Buffer.byteLength(text);
      return {
        fields: parseInfo(text),
        requestBytes: '*2\r\n$4\r\nINFO\r\n$3\r\nall\r\n'.length,
        replyBytes: `$${length}\r\n\r\n`.length + length,
      };
    },

    /** @param {string} name */
    async config(name) {
      const reply = await send('CONFIG', 'GET', name).catch(() => null);
      return Array.isArray(reply) && reply.length > 1 ? String(reply[1]) : null;
    },

    /**
     * Removes every key that starts with `prefix`. Walks the whole key space in small steps, so it is
     * the last resort where the process that knew the keys has died.
     *
     * @param {string} prefix
     */
    async removeKeys(prefix) {
      let cursor = '0';
      do {
        const [next, keys] = /** @type {[string, string[]]} */ (
          /** @type {unknown} */ (await send('SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', '1000'))
        );
        // Each by itself: keys of a cluster's node may be in different slots.
        await Promise.all(keys.map((key) => send('DEL', key)));
        cursor = String(next);
      } while (cursor !== '0');
    },

    command: send,

    close() {
      closed = true;
      if (client.isOpen) client.destroy();
    },
  };
}

/**
 * @param {Target} target
 * @returns a connected client that has answered PING
 * @throws {ServerError}
 */
async function open(target) {
  const { createClient } = await import('redis');
  const { transport, host, port, path, username, password, database, tls } = target;
  const client = createClient({
    RESP: 2,
    username,
    password,
    database,
    disableClientInfo: true,
    socket: {
      ...(transport === 'unix'
        ? { path }
        : { host, port, ...(transport === 'tls' && { ...tls, tls: true }) }),
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
