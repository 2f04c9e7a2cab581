import { randomInt } from 'node:crypto';
import getPort from 'get-port';
import { ServerError } from '../errors.js';

const HOST = '127.0.0.1';
/** The bus of a cluster's node is this far above its port, in every version of Redis. */
const BUS_OFFSET = 10_000;
/** With their bus ports, below those that Linux hands out to clients (32768 and up). */
const LOWEST = 10_000;
const HIGHEST = 22_000;
const ATTEMPTS = 200;

/** @returns {Promise<number>} a port of 127.0.0.1 that nobody listens on */
export const freePort = () => getPort({ host: HOST });

/**
 * @returns {Promise<number>} one for a cluster's node: its bus port is free as well
 * @throws {ServerError}
 */
export async function freeClusterPort() {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if ((await isFree(port)) && (await isFree(port + BUS_OFFSET))) return port;
  }
  throw new ServerError(`found no free pair of ports, ${BUS_OFFSET} apart, for a node of a cluster`);
}

/** get-port also remembers what it has given out here, so that two nodes never get the same. */
const isFree = async (/** @type {number} */ port) => (await getPort({ host: HOST, port })) === port;
