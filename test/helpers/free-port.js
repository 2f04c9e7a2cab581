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
