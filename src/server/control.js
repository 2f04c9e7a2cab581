import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, ServerError } from '../errors.js';
import { parseInfo } from './info.js';
import { labelOf } from './target.js';
import { explainTls } from './tls-errors.js';

const ANSWER_WITHIN_MS = 5000;

/**
 * The tool's own connection to a server: for INFO, CONFIG GET and PING, never for measuring.
 * It speaks RESP2 and skips all optional handshakes, so that any Redis-like server will do and
 * opening it costs the server nothing but the connection.
 *
 * @param {import('../types.js').Target} target
 * @returns {Promise<import('../types.js').Control>}
 * @throws {ServerError} when nothing answers, it is no Redis, or it does not let us in
 */
export async function connectControl(target) {
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
  } catch (error) {
    client.destroy();
    throw explain(firstError ?? error, target);
  }
  /** @param {string[]} args */
  const send = async (...args) => {
    try {
      return await within(ANSWER_WITHIN_MS, client.sendCommand(args));
    } catch (error) {
      throw explain(error, target);
    }
  };
  return {
    ping: () => send('PING'),

    /** @param {string} key @param {string} value */
    set: (key, value) => send('SET', key, value),

    /** @param {string} key */
    del: (key) => send('DEL', key),

    /** @returns {Promise<import('../types.js').InfoReply | null>} null where INFO is not allowed */
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

    close: () => client.destroy(),
  };
}

/** @param {unknown} error */
function unlessDenied(error) {
  if (/NOPERM|unknown command/i.test(messageOf(error))) return null;
  throw error;
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
async function within(ms, promise) {
  const giveUp = new AbortController();
  const late = sleep(ms, undefined, { signal: giveUp.signal }).then(() => {
    throw Object.assign(new Error(`no answer within ${ms / 1000} s`), { code: 'SILENT' });
  });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    giveUp.abort();
  }
}

/**
 * What to tell the person who named this server.
 *
 * @param {unknown} error
 * @param {import('../types.js').Target} target
 * @returns {ServerError}
 */
export function explain(error, target) {
  if (error instanceof ServerError) return error;
  const where = labelOf(target);
  const text = messageOf(error);
  const code = /** @type {any} */ (error)?.code ?? /** @type {any} */ (error)?.errors?.[0]?.code;
  const say = (/** @type {string} */ message) => new ServerError(message, { cause: error });
  if (/WRONGPASS|invalid password|invalid username/i.test(text)) {
    return say(`${where} rejected the user name or password; check the URL's user:password@ part`);
  }
  if (/NOAUTH/i.test(text)) {
    return say(`${where} asks for a password; give it in the URL: redis://:PASSWORD@${where}`);
  }
  const tls = explainTls(error, target);
  if (tls !== null) return say(tls);
  if (code === 'SILENT') {
    return say(`${where} accepted the connection but gave no Redis reply (${text}); is it a Redis server?`);
  }
  if (
    ['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(
      code,
    )
  ) {
    return say(
      `nothing answers at ${where} (${code}); start a Redis server there, or leave out --url and --socket to have one started`,
    );
  }
  if (/ConnectionTimeout|Connection timeout/.test(text)) {
    return say(
      `nothing answers at ${where} within ${ANSWER_WITHIN_MS / 1000} s; check host, port and firewall`,
    );
  }
  if (/^(ERR|DENIED|LOADING|NOPERM|MISCONF|OOM|READONLY|BUSY|CLUSTERDOWN)\b/.test(text)) {
    return say(`${where} answered with an error: ${text}`);
  }
  if (/RESP|type|protocol|decod/i.test(text)) {
    return say(`${where} does not speak the Redis protocol (${text}); check the port`);
  }
  return say(`lost or found no Redis at ${where}: ${text}`);
}
