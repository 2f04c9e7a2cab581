import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { encodeCommand } from '../resp.js';

/** @import { Target } from '../server/types.js' */
/** @import { RoundTrips } from './types.js' */

/** The first run before their code is compiled. */
const UNCOUNTED = 5;

/**
 * How long a PING takes without a client. Where it is not allowed, the error reply takes as long.
 * @param {{target: Target, count: number, mostMs: number}} job as many, or as long @returns {Promise<RoundTrips>}
 */
export async function measureRoundTrips({ target: { host, port = 0, tls: secure }, count, mostMs }) {
  const address = { host, port, noDelay: true };
  const socket = secure ? tls.connect({ ...address, ...secure }) : net.connect(address);
  const closed = new AbortController();
  socket.on('close', () => closed.abort());
  const ping = encodeCommand(['PING']);
  const times = [];
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', closed);
    const endMs = performance.now() + mostMs;
    do {
      const startedMs = performance.now();
      socket.write(ping);
      await once(socket, 'data', closed);
      times.push(performance.now() - startedMs);
      // The first waits for the connection as well.
    } while (times.length < 2 || (times.length < UNCOUNTED + count && performance.now() < endMs));
  } finally {
    socket.destroy();
  }
  const counted = times.slice(Math.min(UNCOUNTED, times.length - 1)).sort((a, b) => a - b);
  return { count: counted.length, p50Us: at(counted, 0.5), p99Us: at(counted, 0.99) };
}

/** @param {number[]} sortedMs @param {number} part @returns {number} in microseconds */
const at = (sortedMs, part) => sortedMs[Math.ceil(sortedMs.length * part) - 1] * 1000;
