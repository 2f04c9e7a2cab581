import { encodeCommand } from '../resp.js';
import { openSocket, readyEvent } from '../server/sockets.js';

/** @import { Target } from '../server/types.js' */

/** The first run before their code is compiled. */
const UNCOUNTED = 5;

/**
 * How long a PING takes without a client.
 * @param {{target: Target, count: number, mostMs: number}} job as many, or as long
 */
export async function measureRoundTrips({ target, count, mostMs }) {
  const line = await openLine(target);
  const times = [];
  try {
    const endMs = performance.now() + mostMs;
    do {
      const startedMs = performance.now();
      await line.send(['PING'], '+PONG\r\n');
      times.push(performance.now() - startedMs);
      // The first waits for the connection as well.
    } while (times.length < 2 || (times.length < UNCOUNTED + count && performance.now() < endMs));
  } finally {
    line.destroy();
  }
  const counted = times.slice(Math.min(UNCOUNTED, times.length - 1)).sort((a, b) => a - b);
  return { count: counted.length, p50Us: at(counted, 0.5), p99Us: at(counted, 0.99) };
}

/** @param {Target} target that is logged in to */
async function openLine(target) {
  const { username = 'default', password, database } = target;
  const tls = target.transport === 'tls' ? (target.tls ?? { rejectUnauthorized: true }) : undefined;
  const socket = openSocket({ ...target, tls });
  let awaited = '';
  let received = '';
  let resolve = () => {};
  /** @type {(error: Error) => void} */
  let reject = () => {};
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
    if (received === awaited) resolve();
    else if (!awaited.startsWith(received))
      reject(new Error(`the server replied ${JSON.stringify(received.slice(0, 60))}, not ${awaited.trim()}`));
  });
  socket.on('error', (error) => reject(error));
  socket.on('close', () => reject(new Error('the server closed the connection')));

  const until = (/** @type {() => void} */ begin) =>
    /** @type {Promise<void>} */ (
      new Promise((...settle) => {
        [resolve, reject] = settle;
        begin();
      })
    );
  /** @param {string[]} command @param {string} reply */
  const send = (command, reply) =>
    until(() => {
      [awaited, received] = [reply, ''];
      socket.write(encodeCommand(command));
    });

  await until(() => socket.once(readyEvent({ ...target, tls }), resolve));
  if (password !== undefined) await send(['AUTH', username, password], OK);
  if (database !== undefined) await send(['SELECT', `${database}`], OK);
  return { send, destroy: () => void socket.destroy() };
}

const OK = '+OK\r\n';

/** @param {number[]} sortedMs @param {number} part @returns {number} in microseconds */
const at = (sortedMs, part) => sortedMs[Math.ceil(sortedMs.length * part) - 1] * 1000;
