import { once } from 'node:events';
import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readReply } from '../../src/plugins/resp/reader.js';
import { startTcpServer } from './tcp-server.js';

/** @import { Socket } from 'node:net' */

/** How many replies pass between two that are tampered with; no divisor of a number of tasks. */
const EVERY = 7;

/**
 * What is done to a reply, given those before and after it on the same connection; what to send instead.
 *
 * @type {Record<string, (reply: Buffer, before: Buffer, next: Buffer | undefined) => Buffer[]>}
 */
export const FAULTS = {
  flipped: (reply) => {
    const bytes = Buffer.from(reply);
    // Of a value its last character, of a status or a number the last before the end of the line.
    bytes[bytes.length - 3] ^= 1;
    return [bytes];
  },
  'the one before again': (_reply, before) => [before],
  'overtaken by the next': (reply, _before, next) => (next ? [next, reply] : [reply]),
  'sent twice': (reply) => [Buffer.concat([reply, reply])],
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

  /** @param {Socket} socket */
  function onConnection(socket) {
    const upstream = connect(Number(port), host);
    const tamper = createTampering(() => fault);
    socket.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => socket.write(fault === null ? bytes : tamper(bytes)));
    upstream.on('error', () => {});
    socket.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  }
  const proxy = certificate
    ? await startTlsServer(certificate, onConnection)
    : await startTcpServer(onConnection);
  return {
    port: Number(new URL(proxy.url).port),
    /** @param {string | null} name of FAULTS; null for none */
    tamper(name) {
      fault = name;
    },
    stop: () => proxy.stop(),
  };
}

/** @param {() => string | null} faultNow */
function createTampering(faultNow) {
  let count = 0;
  /** @type {Buffer} */
  let before = Buffer.alloc(0);
  let rest = Buffer.alloc(0);

  /** @param {Buffer} reply @param {Buffer | undefined} next in the same piece */
  function treat(reply, next) {
    const fault = faultNow();
    const last = before;
    before = reply;
    count++;
    if (fault === null || count % EVERY !== 0) return [reply];
    return FAULTS[fault](reply, last, next);
  }

  return (/** @type {Buffer} */ bytes) => {
    const all = Buffer.concat([rest, bytes]);
    /** @type {Buffer[]} */
    const replies = [];
    let start = 0;
    while (start < all.length) {
      const { next } = readReply(all, start, all.length);
      if (next === -1) break;
      replies.push(Buffer.from(all.subarray(start, next)));
      start = next;
    }
    rest = Buffer.from(all.subarray(start));
    const sent = [];
    for (let index = 0; index < replies.length; index++) {
      const treated = treat(replies[index], replies[index + 1]);
      sent.push(...treated);
      if (treated[1] === replies[index]) index++;
    }
    return Buffer.concat(sent);
  };
}

/** @param {{key: string, cert: string}} certificate @param {(socket: Socket) => void} onConnection */
async function startTlsServer(certificate, onConnection) {
  const server = createTlsServer(certificate, onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `rediss://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve(undefined))),
  };
}
