import { openSocket, readyEvent } from '../process/sockets.js';
import { encodeCommand } from '../relay/resp.js';
import { createRecorder, readClock } from './recorder.js';

/** @import { Target } from '../server/types.js' */

/** @typedef {{target: Target, key: string, value: string, removal: string[]}} Stored the key that is read, and how it is removed */

/**
 * Stores the key that a ceiling is measured with. This process removes it, also when the tool was killed.
 * @param {Stored} stored
 */
export function openCeiling({ target, key, value, removal: [remove, ...rest] }) {
  const send = async (/** @type {string[]} */ command, /** @type {string} */ reply) => {
    const line = await openLine(
      target,
      encodeCommand(command),
      Buffer.from(reply),
      `what ${command[0]} replies`,
    );
    await line.exchange().finally(line.destroy);
  };
  let control = { isRunning: false };
  return {
    prepare: () => send(['SET', key, value], '+OK\r\n'),

    /** @param {Shape} shape */
    run(shape) {
      control = { isRunning: true };
      return measureCeiling({ key, value, ...shape }, control);
    },

    stop() {
      control.isRunning = false;
    },

    finish: () => send([remove, key, ...rest], ':1\r\n'),
  };
}

/**
 * `depth`: commands that each has in flight
 * @typedef {{target: Target, connections: number, depth: number, durationMs: number}} Shape
 */

/**
 * How fast one Node process can drive a server without promises, parser or queue: each connection sends a prepared batch
 * of GETs, compares all bytes that come back, then sends the next.
 * @param {Shape & Pick<Stored, 'key' | 'value'>} job @param {{isRunning: boolean}} control ends it early
 * @typedef {Awaited<ReturnType<typeof measureCeiling>>} CeilingRun
 */
async function measureCeiling({ target, key, value, connections, depth, durationMs }, control) {
  const repeated = (/** @type {Buffer} */ bytes) => Buffer.concat(Array(depth).fill(bytes));
  const sent = repeated(encodeCommand(['GET', key]));
  const expected = repeated(Buffer.from(`$${Buffer.byteLength(value)}\r\n${value}\r\n`));
  const recorder = createRecorder(readClock);
  let operations = 0;
  const lines = [];
  for (let index = 0; index < connections; index++) lines.push(await openLine(target, sent, expected));

  /** @param {number} sentAt */
  function onAnswer(sentAt) {
    operations += depth;
    recorder.done(sentAt, depth);
    return control.isRunning;
  }
  // Else, with one connection, waking up costs most: the scheduler's cost, not the loop's.
  const keepAwake = () => void (control.isRunning && setImmediate(keepAwake));
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const finished = Promise.all(lines.map((line) => line.run(onAnswer)));
  keepAwake();
  const timer = setTimeout(() => {
    control.isRunning = false;
  }, durationMs);
  try {
    await finished;
  } finally {
    control.isRunning = false;
    clearTimeout(timer);
    for (const line of lines) line.destroy();
  }
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { operations, elapsedMs, cpuUs: user + system, hdr: recorder.encode() };
}

const OK = Buffer.from('+OK\r\n');
/** All connections can share one buffer: each chunk is checked before the next is read. */
const RECEIVED = Buffer.allocUnsafe(64 * 1024);

/**
 * @param {Target} target @param {Buffer} sent @param {Buffer} expected the bytes that must come for it
 * @param {string} [what] they are, for the error
 */
async function openLine(target, sent, expected, what = 'what was stored') {
  /** @type {Buffer} */
  let awaited = OK;
  let position = 0;
  let onAnswer = () => {};
  /** @type {(error: Error) => void} */
  let onError = () => {};

  /** @param {number} size @param {Uint8Array} bytes */
  function receive(size, bytes) {
    const end = position + size;
    if (end > awaited.length || awaited.compare(bytes, 0, size, position, end) !== 0) {
      const reply = Buffer.from(bytes.subarray(0, Math.min(size, 60))).toString();
      onError(new Error(`the server replied ${JSON.stringify(reply)}, not ${what}`));
      return false;
    }
    position = end === awaited.length ? 0 : end;
    if (position === 0) onAnswer();
    return true;
  }

  const to = {
    ...target,
    tls: target.transport === 'tls' ? (target.tls ?? { rejectUnauthorized: true }) : undefined,
  };
  const socket = openSocket(to, { onread: { buffer: RECEIVED, callback: receive } });
  socket.on('error', (error) => onError(error));
  socket.on('close', () => onError(new Error('the server closed the connection')));

  /** @param {() => void} begin @returns {Promise<void>} */
  const until = (begin) =>
    new Promise((resolve, reject) => {
      onAnswer = resolve;
      onError = reject;
      begin();
    });

  await until(() => socket.once(readyEvent(to), onAnswer));
  for (const command of loginOf(target)) await until(() => socket.write(encodeCommand(command)));
  awaited = expected;

  return {
    exchange: () => until(() => socket.write(sent)),

    /** Resolves with the last answer. @param {(sentAt: number) => boolean} goesOn called with each, by the turn clock */
    run: (goesOn) =>
      until(() => {
        const finish = onAnswer;
        let sentAt = 0;
        function send() {
          sentAt = readClock();
          socket.write(sent);
        }
        onAnswer = () => (goesOn(sentAt) ? send() : finish());
        send();
      }),
    destroy: () => void socket.destroy(),
  };
}

/** @param {Target} target */
const loginOf = ({ username = 'default', password, database }) => [
  ...(password === undefined ? [] : [['AUTH', username, password]]),
  ...(database === undefined ? [] : [['SELECT', String(database)]]),
];

/** The first run before their code is compiled. */
const UNCOUNTED = 5;

/**
 * How long a PING takes without a client.
 * @param {{target: Target, count: number, mostMs: number}} job as many, or as long
 */
export async function measureRoundTrips({ target, count, mostMs }) {
  const line = await openLine(target, encodeCommand(['PING']), Buffer.from('+PONG\r\n'));
  const times = [];
  try {
    const endMs = performance.now() + mostMs;
    do {
      const startedMs = performance.now();
      await line.exchange();
      times.push(performance.now() - startedMs);
      // The first waits for the connection as well.
    } while (times.length < 2 || (times.length < UNCOUNTED + count && performance.now() < endMs));
  } finally {
    line.destroy();
  }
  const counted = times.slice(Math.min(UNCOUNTED, times.length - 1)).sort((a, b) => a - b);
  return { count: counted.length, p50Us: at(counted, 0.5), p99Us: at(counted, 0.99) };
}

/** @param {number[]} sortedMs @param {number} part @returns {number} in microseconds */
const at = (sortedMs, part) => sortedMs[Math.ceil(sortedMs.length * part) - 1] * 1000;
