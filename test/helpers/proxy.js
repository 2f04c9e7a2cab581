import { connect } from 'node:net';
import { startTcpServer } from './tcp-server.js';

/** @import { Socket } from 'node:net' */

const CUT_EVERY_MS = 50;

/**
 * Stands between the tool and a server, and does what networks do. The first connection is the tool's
 * own, for asking the server; what is done here is done to the others, those of the workers.
 *
 * @param {number} port of the server
 */
export async function startProxy(port) {
  /** @type {{socket: Socket, upstream: Socket}[]} */
  const pairs = [];
  /** @type {(reply: Buffer, forward: (bytes: Buffer) => void) => void} */
  const pass = (reply, forward) => forward(reply);
  let treat = pass;
  /** @type {NodeJS.Timeout | undefined} */
  let cutting;
  const proxy = await startTcpServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    const isControl = pairs.length === 0;
    pairs.push({ socket, upstream });
    socket.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => (isControl ? pass : treat)(bytes, (part) => void socket.write(part)));
    upstream.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return {
    url: proxy.url,

    /** @returns {number} connections of workers until now */
    opened: () => pairs.length - 1,

    /** @param {typeof treat} treatment of every reply from now on */
    replies(treatment) {
      treat = treatment;
    },

    /** Cuts all connections of the workers, and those that come: one alone may be closing just then. */
    cut() {
      const cutNow = () => {
        for (const { socket } of pairs.slice(1)) reset(socket);
      };
      cutting ??= setInterval(cutNow, CUT_EVERY_MS);
      cutNow();
    },

    /** Cuts the tool's own too. */
    cutAll() {
      for (const { socket } of pairs) reset(socket);
    },

    async stop() {
      clearInterval(cutting);
      for (const { upstream } of pairs) upstream.destroy();
      await proxy.stop();
    },
  };
}

/**
 * Node 20 leaves a socket open for ever when it is reset while its own end is on the way.
 *
 * @param {Socket} socket
 */
function reset(socket) {
  if (socket.writableEnded) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
