import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServerError } from '../errors.js';
import { textOf } from '../process/read-file.js';
import { run } from '../process/spawn.js';
import { succeeds, until } from '../process/wait.js';

/** @import { Notice } from '../store/types.js' */

/** Linux keeps the port of a connection that we closed for a minute (TIME_WAIT). */
const TIME_WAIT_MS = 60_000;

/** @returns {Promise<number | null>} null if unlimited or unknown */
export async function openFilesLimit() {
  const known =
    /^Max open files\s+(\d+)/m.exec(textOf('/proc/self/limits'))?.[1] ??
    (await run('sh', ['-c', 'ulimit -n']).catch(() => ''));
  return /^\d+\s*$/.test(known) ? Number(known) : null;
}

const LOOK_EVERY_MS = 500;

/** Leaves ports for other programs. */
const MOST = 0.5;

/**
 * A run that finds no free local port fails with EADDRNOTAVAIL.
 * @param {object} run @param {boolean} run.loopback @param {number} run.connections @param {number} run.expectedMs
 * @param {AbortSignal} run.signal @param {(fact: Notice) => void} run.onNote
 */
export async function awaitPorts({ loopback, connections, expectedMs, signal, onNote }) {
  // A run of over a minute gets its first ports back.
  const aMinute = Math.ceil(connections * Math.min(1, TIME_WAIT_MS / expectedMs));
  let looks = 0;
  const look = () => {
    const [low, high] = textOf('/proc/sys/net/ipv4/ip_local_port_range').split(/\s+/).map(Number);
    // 1: always, 2: on loopback.
    const reuse = textOf('/proc/sys/net/ipv4/tcp_tw_reuse').trim();
    if (!high || reuse === '1' || (reuse === '2' && loopback)) return true;
    const all = high - low + 1;
    const waiting = Number(/^TCP:.* tw (\d+)/m.exec(textOf('/proc/net/sockstat'))?.[1] ?? 0);
    const isFirst = looks++ === 0;
    if (isFirst && aMinute > all) onNote({ kind: 'few-ports', perMinute: aMinute, ports: all });
    if (Math.min(aMinute, all * MOST) <= all - waiting || signal.aborted) return true;
    if (isFirst) onNote({ kind: 'waiting-for-ports', taken: waiting, ports: all });
    return false;
  };
  await until(look, { everyMs: LOOK_EVERY_MS, withinMs: TIME_WAIT_MS, signal });
}

const HOST = '127.0.0.1';
/** Below the ports that Linux hands out to clients (32768 and up). */
const RANGE = { lowest: 10_000, highest: 32_000 };
const ATTEMPTS = 200;

/**
 * @param {number} [offset] @param {{lowest: number, highest: number}} [range]
 * @returns {Promise<number>} a free port of 127.0.0.1 such that `port + offset` is free too
 * @throws {ServerError} if none was found
 */
export async function freePort(offset = 0, { lowest, highest } = RANGE) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(lowest, highest - offset + 1);
    if ((await isFree(port)) && (offset === 0 || (await isFree(port + offset)))) return port;
  }
  const what = offset === 0 ? 'port' : `pair of ports, ${offset} apart,`;
  throw new ServerError(
    `no free ${what} was found for a managed server: ${ATTEMPTS} from ${lowest} to ${highest} of ${HOST} were in use. End other servers, or name a running one with --url`,
  );
}

/** @param {number} port @returns {Promise<boolean>} */
async function isFree(port) {
  const server = createServer();
  const isListening = await succeeds(once(server.listen({ host: HOST, port, exclusive: true }), 'listening'));
  server.close();
  return isListening;
}
