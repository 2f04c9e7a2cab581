import { connect } from 'node:net';
import { readReply } from '../../src/relay/resp.js';
import { startTcpServer } from './tcp-server.js';

/**
 * What to send instead of a server's reply: bytes, null for nothing from then on, undefined for the reply itself.
 *
 * @typedef {(command: string[], reply: Buffer) => string | Buffer | null | undefined} Lie `command` in upper case where it is a name
 */

/** A reply that nobody asked for, after each that matches. @param {RegExp} replies @returns {Lie} */
export const oneTooMany = (replies) => (_, reply) =>
  replies.test(String(reply)) ? Buffer.concat([reply, Buffer.from('+EXTRA\r\n')]) : undefined;

/**
 * Stands before a real server and lies about some replies; of RESP2 only.
 *
 * @param {{port: number}} server
 */
export async function startLyingProxy({ port }) {
  /** @type {Lie} */
  let lie = () => undefined;
  const proxy = await startTcpServer((socket) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    /** @type {string[][]} */
    const asked = [];
    let isSilent = false;
    socket.on(
      'data',
      inWhole((value, bytes) => {
        const [name = '', ...words] = /** @type {string[]} */ (value);
        asked.push([name.toUpperCase(), ...words]);
        upstream.write(bytes);
      }),
    );
    upstream.on(
      'data',
      inWhole((_, bytes) => {
        const other = lie(asked.shift() ?? [], bytes);
        isSilent ||= other === null;
        if (!isSilent) socket.write(other ?? bytes);
      }),
    );
    upstream.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return {
    port: Number(proxy.port),
    url: proxy.url,
    /** @param {Lie} next */
    tell(next) {
      lie = next;
    },
    stop: () => proxy.stop(),
  };
}

/** @param {(value: unknown, bytes: Buffer) => void} onWhole of each command or reply */
function inWhole(onWhole) {
  let rest = Buffer.alloc(0);
  return (/** @type {Buffer} */ bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      if (rest.length === 0) return;
      const { value, next } = readOne(rest);
      if (next === -1) return;
      onWhole(value, Buffer.from(rest.subarray(0, next)));
      rest = Buffer.from(rest.subarray(next));
    }
  };
}

/** @param {Buffer} bytes */
function readOne(bytes) {
  try {
    return readReply(bytes, 0, bytes.length);
  } catch {
    // RESP3 passes as it comes.
    return { value: [], next: bytes.length };
  }
}
