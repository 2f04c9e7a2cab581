import { messageOf } from '../errors.js';
import { isTimeout, within } from '../process/wait.js';
import { createInbox, ErrorReply, encodeCommand, ProtocolError, readReply } from '../resp.js';
import { parseInfo } from './counters.js';
import { ANSWER_WITHIN_MS, explainLoss, explainRefusal } from './explain.js';
import { openSocket } from './sockets.js';

/** @import { Control, Target } from './types.js' */

/**
 * The tool's own connection. Without a handshake it works with every Redis-like server; loading a client would take
 * three times as long as starting Node.
 * @param {Target} target @returns {Promise<Control>}
 */
export async function connectControl(target) {
  const { send, close } = await createLink(target);
  return {
    ping: () => send('PING'),
    info: async () => infoReply(await send('INFO', 'all').catch(unlessDenied)),
    async config(name) {
      const reply = await send('CONFIG', 'GET', name).catch(() => null);
      return Array.isArray(reply) && reply.length > 1 ? String(reply[1]) : null;
    },
    command: send,
    close,
  };
}

/** Reconnects after CLIENT KILL, a proxy or the server's timeout. @param {Target} target */
async function createLink(target) {
  let line = await open(target);
  let closed = false;
  /** @type {Promise<void> | undefined} */
  let renewal;

  const isCut = () => line.state.lost !== null && !closed;
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
  return {
    /** @param {string[]} args */
    async send(...args) {
      const ask = () => within(ANSWER_WITHIN_MS, line.send(...args));
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
    },

    close() {
      closed = true;
      line.close();
    },
  };
}

/** @param {unknown} reply of INFO; null if it is denied */
export function infoReply(reply) {
  if (reply === null) return null;
  const text = String(reply);
  const length = Buffer.byteLength(text);
  return {
    fields: parseInfo(text),
    requestBytes: '*2\r\n$4\r\nINFO\r\n$3\r\nall\r\n'.length,
    replyBytes: `$${length}\r\n\r\n`.length + length,
  };
}

/** @param {Target} target @returns after a PONG */
async function open(target) {
  const line = openLine(target);
  try {
    await within(ANSWER_WITHIN_MS, logIn(line, target));
    return line;
  } catch (error) {
    const isSilent = isTimeout(error) && !line.state.isConnected;
    line.close();
    throw await explainRefusal(
      isSilent ? new Error('Connection timeout') : error,
      target,
      line.state.isSecure,
    );
  }
}

/** @param {ReturnType<typeof openLine>} line @param {Target} target */
async function logIn({ send }, { username, password, database }) {
  const steps = [['PING']];
  if (database) steps.unshift(['SELECT', `${database}`]);
  // Redis before 6 has passwords only.
  if (username || password) steps.unshift(['AUTH', ...(username ? [username] : []), password ?? '']);
  await Promise.all(steps.map((step) => send(...step)));
}

/** @param {unknown} error */
function unlessDenied(error) {
  if (/NOPERM|unknown command/i.test(messageOf(error))) return null;
  throw error;
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
  /** `isConnected`: even if the peer is not Redis; `isSecure`: after the handshake of TLS. */
  const state = { isConnected: false, isSecure: false, lost: /** @type {Error | null} */ (null) };

  const receive = createInbox((bytes, start, end, begun) => {
    const reply = readReply(bytes, start, end, false, begun);
    if (reply.next !== -1) take(reply.value);
    return reply;
  });

  /** @param {unknown} reply */
  function take(reply) {
    const asked = waiting.shift();
    if (asked === undefined) throw new ProtocolError('a reply came that no command asked for');
    if (reply instanceof ErrorReply) asked.reject(reply);
    else asked.resolve(reply);
  }

  /** @param {Error} error */
  function fail(error) {
    state.lost ??= error;
    for (const { reject } of waiting.splice(0)) reject(state.lost);
  }

  socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
  socket.on('connect', () => {
    state.isConnected = true;
  });
  socket.on('secureConnect', () => {
    state.isSecure = true;
  });
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
    state,

    /** @param {string[]} args @returns {Promise<unknown>} */
    send: (...args) =>
      new Promise((resolve, reject) => {
        if (state.lost) return reject(state.lost);
        waiting.push({ resolve, reject });
        socket.write(encodeCommand(args));
      }),

    close() {
      fail(new Error('The client is closed'));
      socket.destroy();
    },
  };
}
