import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { encodeCommand } from '../resp.js';
import { createRecorder, readClock } from './recorder.js';

/** @import { Target } from '../server/types.js' */
/** @import { Recorder, RoundTrips } from './types.js' */

const RECEIVE_BYTES = 64 * 1024;

/**
 * How fast one Node process can drive a server without promises, parser or queue: each connection sends a prepared batch
 * of GETs, compares all bytes that come back, then sends the next.
 * @param {{target: Target, key: string, value: string, connections: number, depth: number, durationMs: number,
 *   poll: boolean}} job `depth`: commands that each has in flight; `poll`: whether the event loop polls instead of sleeping
 * @typedef {Awaited<ReturnType<typeof measureCeiling>>} CeilingRun
 */
export async function measureCeiling({ target, key, value, connections, depth, durationMs, poll }) {
  const batch = repeat(encodeCommand(['GET', key]), depth);
  const expected = repeat(Buffer.from(`$${Buffer.byteLength(value)}\r\n${value}\r\n`), depth);
  const shared = { target, batch, expected, depth, recorder: createRecorder(readClock) };
  const state = { running: true, operations: 0, wrongChunks: 0, buffer: Buffer.allocUnsafe(RECEIVE_BYTES) };
  const lines = [];
  for (let index = 0; index < connections; index++) lines.push(await openLine(shared, state));

  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const finished = Promise.all(lines.map((line) => line.run()));
  if (poll) keepAwake(state);
  const timer = setTimeout(() => {
    state.running = false;
  }, durationMs);
  try {
    await finished;
  } finally {
    state.running = false;
    clearTimeout(timer);
    for (const line of lines) line.destroy();
  }
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { operations, wrongChunks } = state;
  return { operations, elapsedMs, wrongChunks, cpuUs: user + system, hdr: shared.recorder.encode() };
}

/** @param {Buffer} bytes @param {number} times */
const repeat = (bytes, times) => Buffer.concat(Array.from({ length: times }, () => bytes));

/** Else, with one connection, waking up costs most: the scheduler's cost, not the loop's. @param {{running: boolean}} state */
function keepAwake(state) {
  const again = () => {
    if (state.running) setImmediate(again);
  };
  again();
}

const OK = Buffer.from('+OK\r\n');

/**
 * @param {{target: Target, batch: Buffer, expected: Buffer, depth: number, recorder: Recorder}} shared
 * @param {{running: boolean, operations: number, wrongChunks: number, buffer: Buffer}} state
 */
async function openLine({ target, batch, expected, depth, recorder }, state) {
  /** The bytes that must come. */
  let awaited = /** @type {Buffer} */ (OK);
  let position = 0;
  let onAnswer = () => {};
  /** @type {(error: Error) => void} */
  let onError = () => {};

  /** @param {number} size @param {Uint8Array} bytes */
  function receive(size, bytes) {
    const end = position + size;
    if (end > awaited.length || awaited.compare(bytes, 0, size, position, end) !== 0) {
      state.wrongChunks++;
      onError(new Error(`the server replied ${JSON.stringify(excerpt(bytes, size))}, not what was stored`));
      return false;
    }
    position = end === awaited.length ? 0 : end;
    if (position === 0) onAnswer();
    return true;
  }

  const connect = /** @type {typeof net.connect} */ (target.transport === 'tls' ? tls.connect : net.connect);
  const socket = connect({
    ...addressOf(target),
    // All connections can share one buffer: each chunk is checked before the next is read.
    onread: { buffer: state.buffer, callback: receive },
  });
  socket.on('error', (error) => onError(error));
  socket.on('close', () => onError(new Error('the server closed the connection')));

  /** @param {() => void} begin @returns {Promise<void>} */
  const until = (begin) =>
    new Promise((resolve, reject) => {
      onAnswer = resolve;
      onError = reject;
      begin();
    });

  await until(() => socket.once(target.transport === 'tls' ? 'secureConnect' : 'connect', onAnswer));
  for (const command of loginOf(target)) await until(() => socket.write(encodeCommand(command)));
  awaited = expected;

  return {
    /** @returns {Promise<void>} when the last batch is answered */
    run: () =>
      until(() => {
        const finish = onAnswer;
        let sentAt = 0;
        onAnswer = () => {
          state.operations += depth;
          recorder.done(sentAt, depth);
          if (state.running) send();
          else finish();
        };
        function send() {
          sentAt = recorder.start();
          socket.write(batch);
        }
        send();
      }),
    destroy: () => void socket.destroy(),
  };
}

/** @param {Target} target @returns {net.NetConnectOpts} */
const addressOf = ({ transport, path = '', host, port = 0, tls: secure }) =>
  transport === 'unix' ? { path } : { host, port, noDelay: true, ...secure };

/** @param {Target} target */
const loginOf = ({ username = 'default', password, database }) => [
  ...(password === undefined ? [] : [['AUTH', username, password]]),
  ...(database === undefined ? [] : [['SELECT', String(database)]]),
];

/** @param {Uint8Array} bytes @param {number} size */
const excerpt = (bytes, size) => Buffer.from(bytes.subarray(0, Math.min(size, 60))).toString();

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
