import { createInbox, ErrorReply, encodeCommand, ProtocolError, readReply } from '../resp.js';
import { openSocket } from './sockets.js';

/** @import { Target } from './types.js' */

/** A NAT or firewall may drop idle connections, for instance during a long run. */
const KEEP_ALIVE_AFTER_MS = 5000;

/** Connect errors reject waiting commands. @param {Target} target */
export function openLine({ transport, tls, ...address }) {
  const socket = openSocket({
    ...address,
    tls: transport === 'tls' ? (tls ?? { rejectUnauthorized: true }) : undefined,
  });
  /** @type {{resolve: (reply: unknown) => void, reject: (error: Error) => void}[]} replies arrive in order */
  const waiting = [];
  let isConnected = false;
  let isSecure = false;
  /** @type {Error | null} */
  let lost = null;

  const receive = createInbox((bytes, start, end) => {
    const reply = readReply(bytes, start, end);
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
    lost ??= error;
    for (const { reject } of waiting.splice(0)) reject(lost);
  }

  socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
  socket.on('connect', () => {
    isConnected = true;
  });
  socket.on('secureConnect', () => {
    isSecure = true;
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
    /** @param {string[]} args @returns {Promise<unknown>} */
    send: (...args) =>
      new Promise((resolve, reject) => {
        if (lost) return reject(lost);
        waiting.push({ resolve, reject });
        socket.write(encodeCommand(args));
      }),

    /** True even if the peer is not Redis. */
    isConnected: () => isConnected,

    /** After the handshake of TLS. */
    isSecure: () => isSecure,

    lost: () => lost,

    close() {
      fail(new Error('The client is closed'));
      socket.destroy();
    },
  };
}
