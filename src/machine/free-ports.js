import { randomInt } from 'node:crypto';
import getPort from 'get-port';

const HOST = '127.0.0.1';
/** Below the ports that Linux hands out to clients (32768 and up). */
const LOWEST = 10_000;
const HIGHEST = 32_000;
const ATTEMPTS = 200;

/** @returns {Promise<number>} a port of 127.0.0.1 that nobody listens on */
export const freePort = () => getPort({ host: HOST });

/**
 * @param {number} offset
 * @returns {Promise<number | null>} a free port whose neighbour, `offset` above it, is free as well; null
 *   where none was found
 */
export async function freePortPair(offset) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, HIGHEST - offset);
    if ((await isFree(port)) && (await isFree(port + offset))) return port;
  }
  return null;
}

/** get-port remembers what it has returned, so that two nodes never get the same port. */
const isFree = async (/** @type {number} */ port) => (await getPort({ host: HOST, port })) === port;
