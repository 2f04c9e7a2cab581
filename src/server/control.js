import { messageOf } from '../errors.js';
import { openSocket } from '../process/sockets.js';
import { isTimeout, within } from '../process/wait.js';
import { createInbox, ErrorReply, encodeCommand, ProtocolError, readReply } from '../relay/resp.js';
import { parseInfo } from './counters.js';
import { ANSWER_WITHIN_MS, explain, explainLoss } from './explain.js';
import { isErrorReply } from './own-keys.js';
import { PONG, readReplyAs, SETTINGS, TEXT, wrongReply } from './replies.js';
import { labelOf } from './target.js';

/** @import { GenericSchema, InferOutput } from 'valibot' */
/** @import { Control, Target } from './types.js' */

/**
 * The tool's own connection. Without a handshake it works with every Redis-like server; loading a client would take
 * three times as long as starting Node.
 * @param {Target} target @returns {Promise<Control>}
 */
export async function connectControl(target) {
  let line = await open(target);
  let closed = false;
  /** @type {Promise<void> | undefined} */
  let renewal;

  const isCut = () => line.lost() !== null && !closed;
  /** After CLIENT KILL, or where a proxy or the server's timeout cut it. */
  const renew = () => {
    renewal ??= open(target)
      .then((opened) => {
        line = opened;
        if (closed) line.close();
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };

  /** @param {string[]} args */
  const command = (...args) => commandWithin(ANSWER_WITHIN_MS, ...args);

  /** @param {number} limitMs @param {string[]} args */
  async function commandWithin(limitMs, ...args) {
    const ask = () => within(limitMs, line.send(...args));
    try {
      if (isCut()) await renew();
      return await ask().catch(async (error) => {
        if (!isCut()) throw error;
        // Nothing here is measured, so sending twice is fine.
        await renew();
        return ask();
      });
    } catch (error) {
      throw explainLoss(error, target);
    }
  }

  /**
   * For what is read of a reply: see replies.js.
   * @template {GenericSchema} S @param {S} schema @param {string[]} args
   * @returns {Promise<InferOutput<S>>} @throws {ServerError} also where the reply is another
   */
  const ask = async (schema, ...args) => readReplyAs(schema, await command(...args), args, labelOf(target));

  return {
    command,
    /** For a command of the user, which may take long. */
    commandWithin,
    ask,
    /** @returns {Promise<unknown>} */
    ping: () => ask(PONG, 'PING'),

    /** @param {string[]} args a command whose reply has the right type and makes no sense @param {string} why */
    wrong: (args, why) => wrongReply(args, labelOf(target), why),

    /** With the bytes that asking took; null if it is denied. */
    async info(section = 'all') {
      const text = await ask(TEXT, 'INFO', section).catch((error) => {
        if (!/NOPERM|unknown command/i.test(messageOf(error))) throw error;
        return null;
      });
      if (text === null) return null;
      const length = Buffer.byteLength(text);
      return {
        fields: parseInfo(text),
        requestBytes: encodeCommand(['INFO', section]).length,
        replyBytes: `$${length}\r\n\r\n`.length + length,
      };
    },

    /** @param {string} name @returns {Promise<string | null>} null if it is denied, or unknown to the server */
    async config(name) {
      const settings = await ask(SETTINGS, 'CONFIG', 'GET', name).catch((error) => {
        if (isErrorReply(error)) return null;
        throw error;
      });
      return settings?.[name] ?? null;
    },

    close() {
      closed = true;
      line.close();
    },
  };
}

/** @param {Target} target @returns after a PONG */
async function open(target) {
  const line = openLine(target);
  const { username, password, database } = target;
  const steps = [['PING']];
  if (database) steps.unshift(['SELECT', `${database}`]);
  // Redis before 6 has passwords only.
  if (username || password) steps.unshift(['AUTH', ...(username ? [username] : []), password ?? '']);
  try {
    const replies = await within(ANSWER_WITHIN_MS, Promise.all(steps.map((step) => line.send(...step))));
    readReplyAs(PONG, replies.at(-1), ['PING'], labelOf(target));
    return line;
  } catch (error) {
    line.close();
    const isSilent = isTimeout(error) && !line.reached.has('connect');
    throw explain(isSilent ? { code: 'ETIMEDOUT' } : error, target, line.reached.has('secureConnect'));
  }
}

/** A NAT or firewall may drop idle connections, for instance during a long run. */
const KEEP_ALIVE_AFTER_MS = 5000;

/** Connect errors reject waiting commands. @param {Target} target */
function openLine({ transport, tls, ...address }) {
  const socket = openSocket({
    ...address,
    tls: transport === 'tls' ? (tls ?? { rejectUnauthorized: true }) : undefined,
  });
  /** @type {{resolve: (reply: unknown) => void, reject: (error: Error) => void}[]} replies arrive in order */
  const waiting = [];
  /** `connect`: even if the peer is not Redis; `secureConnect`: after the handshake of TLS. @type {Set<string>} */
  const reached = new Set();
  /** @type {Error | null} */
  let lost = null;

  const receive = createInbox((bytes, start, end, begun) => {
    const reply = readReply(bytes, start, end, false, begun);
    if (reply.next === -1) return reply;
    const asked = waiting.shift();
    if (asked === undefined) throw new ProtocolError('a reply came that no command asked for');
    if (reply.value instanceof ErrorReply) asked.reject(reply.value);
    else asked.resolve(reply.value);
    return reply;
  });

  /** @param {Error} error */
  function fail(error) {
    lost ??= error;
    for (const { reject } of waiting.splice(0)) reject(lost);
  }

  socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
  for (const event of ['connect', 'secureConnect']) socket.once(event, () => reached.add(event));
  socket.on('data', (bytes) => {
    try {
      receive(bytes, bytes.length);
    } catch (error) {
      socket.destroy(/** @type {Error} */ (error));
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('Socket closed unexpectedly')));

  return {
    reached,
    lost: () => lost,

    /** @param {string[]} args @returns {Promise<unknown>} */
    send: (...args) =>
      new Promise((resolve, reject) => {
        if (lost) return reject(lost);
        waiting.push({ resolve, reject });
        socket.write(encodeCommand(args));
      }),

    close() {
      fail(new Error('The client is closed'));
      socket.destroy();
    },
  };
}
