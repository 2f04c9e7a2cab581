import { once } from 'node:events';
import { createServer } from 'node:net';

/** @import { AddressInfo, Socket } from 'node:net' */

/**
 * Listens on a free port of 127.0.0.1 and behaves as the test says.
 *
 * @param {(socket: Socket) => void} onConnection
 */
export async function startTcpServer(onConnection) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  // Else the kernel holds a second small write back until the first is acknowledged, 40 ms later.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    connections: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * A small RESP2 server that answers what the test says. Only for servers that misbehave, which a real
 * Redis does not.
 *
 * @param {(command: string, args: string[]) => string | undefined} answer the raw reply to a command in
 *   upper case; undefined for what a simple Redis would reply
 */
export function startFakeRedis(answer) {
  /** @type {Map<string, string>} */
  const store = new Map();
  return startTcpServer((socket) => {
    let buffer = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      buffer += chunk;
      for (let request = readRequest(buffer); request; request = readRequest(buffer)) {
        buffer = request.rest;
        const [name, ...args] = request.words;
        const command = name.toUpperCase();
        socket.write(answer(command, args) ?? simpleReply(command, args, store), 'latin1');
      }
    });
  });
}

/** @param {string} text */
export const bulk = (text) => `$${text.length}\r\n${text}\r\n`;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Map<string, string>} store
 */
function simpleReply(command, [key, value], store) {
  if (command === 'PING') return '+PONG\r\n';
  if (command === 'INFO') return bulk('# Server\r\nredis_version:7.0.0\r\nrun_id:0123abcd\r\n');
  if (command === 'CONFIG') return '*0\r\n';
  if (command === 'SET') {
    store.set(key, value);
    return '+OK\r\n';
  }
  if (command === 'GET') return store.has(key) ? bulk(store.get(key) ?? '') : '$-1\r\n';
  if (command === 'DEL') return `:${Number(store.delete(key))}\r\n`;
  if (command === 'SCAN') return `*2\r\n${bulk('0')}*0\r\n`;
  if (['CLIENT', 'SELECT', 'QUIT', 'AUTH'].includes(command)) return '+OK\r\n';
  return `-ERR unknown command '${command}'\r\n`;
}

/**
 * @param {string} buffer
 * @returns {{words: string[], rest: string} | null} null while a request is not complete
 */
function readRequest(buffer) {
  const head = /^\*(\d+)\r\n/.exec(buffer);
  if (!head) return null;
  let position = head[0].length;
  const words = [];
  for (let left = Number(head[1]); left > 0; left--) {
    const length = /^\$(\d+)\r\n/.exec(buffer.slice(position, position + 20));
    if (!length) return null;
    const start = position + length[0].length;
    const end = start + Number(length[1]);
    if (buffer.length < end + 2) return null;
    words.push(buffer.slice(start, end));
    position = end + 2;
  }
  return { words, rest: buffer.slice(position) };
}
