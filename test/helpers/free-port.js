import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import getPort from 'get-port';

/** Below the ports that Linux hands out to clients (32768 and up). */
const [LOWEST, HIGHEST] = [10_000, 32_000];

/**
 * No connection of another test, beside this one, can take it before it is used.
 *
 * @returns {Promise<number>} a port of 127.0.0.1 that nobody listens on
 */
export const freePort = () =>
  getPort({ host: '127.0.0.1', port: Array.from({ length: 20 }, () => randomInt(LOWEST, HIGHEST)) });

/** Nobody listens there. */
export const CLOSED_PORT = 1;

/** True where a server is opened that is to be left open. */
export const keeping = new AsyncLocalStorage();

/**
 * Takes the port of a server that has ended until this process ends. GLIDE looks for a server that it could not reach as
 * long as that, even after it was closed, and would find another test's.
 *
 * @param {number[]} ports of 127.0.0.1
 */
export function keepPorts(...ports) {
  for (const port of ports) {
    const server = createServer((socket) => void socket.destroy());
    // Another server was faster.
    server.on('error', () => {});
    keeping.run(true, () => server.listen({ host: '127.0.0.1', port, exclusive: true }).unref());
  }
}

/**
 * @param {number} [port] of 127.0.0.1, any that is free by default
 * @returns {Promise<{port: number, close: () => void}>} nobody else can listen on it until it is closed
 */
export async function holdPort(port = 0) {
  const server = createServer().listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  const held = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { port: held.port, close: () => void server.close() };
}
