import { once } from 'node:events';
import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readReply } from '../../src/relay/resp.js';
import { startTcpServer } from './tcp-server.js';

/** @import { Socket } from 'node:net' */

/** How many replies pass between two that are tampered with; no divisor of a number of tasks. */
const EVERY = 7;
/** How long a reply is held back for one that may overtake it; then none is under way. */
const HELD_BACK_MS = 50;

/** A reply is held back until the next has passed it. */
const OVERTAKEN = 'overtaken by the next';

/**
 * What is done to a reply, given the one before it on the same connection; what to send instead.
 *
 * @type {Record<string, (reply: Buffer, before: Buffer) => Buffer>}
 */
const FAULTS = {
  flipped: (reply) => {
    const bytes = Buffer.from(reply);
    // Of a value its last character, of a status or a number the last before the end of the line.
    bytes[bytes.length - 3] ^= 1;
    return bytes;
  },
  'the one before again': (_reply, before) => before,
  'sent twice': (reply) => Buffer.concat([reply, reply]),
};

/**
 * Stands between a client and a server and tampers with whole replies, once it is told to.
 *
 * @param {{host?: string, port?: number}} server
 * @param {{key: string, cert: string}} [certificate] clients speak TLS with the proxy
 */
export async function startReplyProxy({ host = '127.0.0.1', port }, certificate) {
  /** @type {string | null} */
  let fault = null;
  /** @type {Set<Socket>} */
  const clients = new Set();

  /** @param {Socket} socket */
  function onConnection(socket) {
    const upstream = connect({ port: Number(port), host, noDelay: true });
    clients.add(socket);
    const tampering = createTampering(
      () => fault,
      (bytes) => socket.write(bytes),
    );
    socket.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', tampering.take);
    upstream.on('error', () => {});
    socket.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => {
      clients.delete(socket);
      tampering.stop();
      upstream.destroy();
    });
  }
  const proxy = certificate
    ? await startTlsServer(certificate, onConnection)
    : await startTcpServer(onConnection);
  return {
    port: Number(new URL(proxy.url).port),
    /** @param {string | null} name of a fault; null for none */
    tamper(name) {
      fault = name;
    },
    /** @param {string} reply that nobody asked for */
    send(reply) {
      for (const socket of clients) socket.write(reply);
    },
    stop: () => proxy.stop(),
  };
}

/**
 * @param {() => string | null} faultNow
 * @param {(bytes: Buffer) => void} send to the client
 */
function createTampering(faultNow, send) {
  let count = 0;
  /** @type {Buffer} */
  let before = Buffer.alloc(0);
  let rest = Buffer.alloc(0);
  /** A reply that waits for the next, which is to overtake it. @type {Buffer | null} */
  let held = null;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  function letGo() {
    clearTimeout(timer);
    if (held) send(held);
    held = null;
  }

  /** @param {Buffer} reply */
  function treat(reply) {
    const last = before;
    before = reply;
    count++;
    const fault = faultNow();
    if (held) {
      send(reply);
      letGo();
    } else if (count % EVERY !== 0 || fault === null) {
      send(reply);
    } else if (fault === OVERTAKEN) {
      held = reply;
      timer = setTimeout(letGo, HELD_BACK_MS);
    } else {
      send(FAULTS[fault](reply, last));
    }
  }

  /** @param {Buffer} bytes from the server */
  function take(bytes) {
    if (faultNow() === null) {
      letGo();
      send(Buffer.concat([rest, bytes]));
      rest = Buffer.alloc(0);
      return;
    }
    const all = Buffer.concat([rest, bytes]);
    let start = 0;
    while (start < all.length) {
      const { next } = readReply(all, start, all.length);
      if (next === -1) break;
      treat(Buffer.from(all.subarray(start, next)));
      start = next;
    }
    rest = Buffer.from(all.subarray(start));
  }
  return { take, stop: () => clearTimeout(timer) };
}

/** @param {{key: string, cert: string}} certificate @param {(socket: Socket) => void} onConnection */
async function startTlsServer(certificate, onConnection) {
  const server = createTlsServer({ ...certificate, noDelay: true }, onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `rediss://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve(undefined))),
  };
}
