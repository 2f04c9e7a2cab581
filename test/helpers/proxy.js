import { connect } from 'node:net';
import { startTcpServer } from './tcp-server.js';

/** @import { Socket } from 'node:net' */

const CUT_EVERY_MS = 50;

/**
 * Stands between the tool and a server and misbehaves as networks do. The first connection is the tool's
 * control connection, which is left alone; the others are the workers'.
 *
 * @param {number} port of the server
 */
export async function startProxy(port) {
  /** @type {{socket: Socket, upstream: Socket}[]} */
  const pairs = [];
  /** @type {(reply: Buffer, forward: (bytes: Buffer) => void) => void} */
  const pass = (reply, forward) => forward(reply);
  let treat = pass;
  let spared = true;
  /** @type {string | null} */
  let fatal = null;
  /** @type {NodeJS.Timeout | undefined} */
  let cutting;
  const proxy = await startTcpServer((socket) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    const isControl = pairs.length === 0;
    pairs.push({ socket, upstream });
    socket.on('data', (bytes) => {
      if (fatal === null || isControl || !bytes.includes(fatal)) upstream.write(bytes);
      else reset(socket);
    });
    upstream.on('data', (bytes) =>
      (isControl && spared ? pass : treat)(bytes, (part) => void socket.write(part)),
    );
    upstream.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return {
    url: proxy.url,

    /** @returns {number} connections of workers so far */
    opened: () => pairs.length - 1,

    /** @param {typeof treat} treatment of every reply from now on @param {{ofControl?: boolean}} [more] of the tool's own too */
    replies(treatment, { ofControl = false } = {}) {
      treat = treatment;
      spared = !ofControl;
    },

    /** Cuts all connections of the workers, later ones too: a single one might just be closing. */
    cut() {
      const cutNow = () => {
        for (const { socket } of pairs.slice(1)) reset(socket);
      };
      cutting ??= setInterval(cutNow, CUT_EVERY_MS);
      cutNow();
    },

    /** Cuts each connection of a worker as soon as it sends this. @param {string} text */
    cutAt(text) {
      fatal = text;
    },

    /** Cuts the control connection too. */
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
 * Node 20 never closes a socket that is reset while its own FIN is on the way.
 *
 * @param {Socket} socket
 */
function reset(socket) {
  if (socket.writableEnded) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
