import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../collections.js';

/** Sends lines past the server, which counts commands. @typedef {{tell: (line: string) => void, close: () => void}} Wire */

/** The other process is being started. */
const MEET_WITHIN_MS = 20_000;
const TRY_EVERY_MS = 10;

/**
 * @param {string} path of a unix socket, which is gone once both have met
 * @param {{onLine: (line: string) => void, onEnd: () => void}} listener @returns {Promise<Wire>}
 */
export async function awaitOther(path, listener) {
  const server = net.createServer().listen(path);
  try {
    const [socket] = await once(server, 'connection', { signal: AbortSignal.timeout(MEET_WITHIN_MS) });
    return createWire(socket, listener);
  } finally {
    server.close();
  }
}

/** @type {typeof awaitOther} */
export async function meetOther(path, listener) {
  const before = performance.now() + MEET_WITHIN_MS;
  for (;;) {
    const socket = net.connect({ path });
    try {
      await once(socket, 'connect');
      return createWire(socket, listener);
    } catch (error) {
      if (performance.now() > before) throw error;
      await sleep(TRY_EVERY_MS);
    }
  }
}

/** @param {net.Socket} socket @param {Parameters<typeof awaitOther>[1]} listener @returns {Wire} */
function createWire(socket, { onLine, onEnd }) {
  let unsent = '';
  let unread = '';
  // What arrives in one turn of the event loop goes out together.
  function flush() {
    socket.write(unsent);
    unsent = '';
  }
  socket.setEncoding('latin1');
  socket.on('data', (/** @type {string} */ text) => {
    const lines = `${unread}${text}`.split('\n');
    unread = present(lines.pop());
    for (const line of lines) onLine(line);
  });
  socket.on('error', () => {});
  socket.on('close', onEnd);
  return {
    tell(line) {
      if (unsent === '') setImmediate(flush);
      unsent += `${line}\n`;
    },
    close: () => void socket.destroySoon(),
  };
}
