import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { sharedClock, untilShared } from '../process/shared-clock.js';
import { openSocket } from '../process/sockets.js';
import { encodeHistogram, placeOf } from '../statistics/encode-histogram.js';
import { createAgenda } from './agenda.js';
import { forgetIdle, resetAtNext, resetLine, silence } from './interrupt.js';

/** @import { AddressInfo, Server, Socket } from 'node:net' */
/** @import { Distance, Interrupted, Interruption, RelayFigures, RelayJob } from './types.js' */

/** @typedef {Record<'fromClient' | 'fromServer', (bytes: Buffer) => void>} Listener */
/** @typedef {{client: Socket, upstream: Socket, isSilent: boolean}} Line `isSilent`: nothing passes, and neither end notices */

/** A client whose connection was cut reconnects sooner. */
const UNUSED_FOR_MS = 500;
const LOOK_EVERY_MS = 20;
/** With short connections, none may be open at that moment. */
const WAIT_FOR_ONE_MS = 15;

/**
 * Forwards each upstream from a port of 127.0.0.1 by default, delayed if `distance` is given.
 * @param {RelayJob} job
 * @param {(client: Socket) => Listener} [listenTo] hears what passes on each new connection
 */
export async function startRelay({ upstreams, listen: at, distance, seed = 0 }, listenTo = () => NOBODY) {
  const { host, port: firstPort } = at ?? { host: '127.0.0.1', port: 0 };
  const delay = distance === undefined ? null : createDelay(distance, seed);
  /** @type {Set<Socket>} */
  const sockets = new Set();
  /** @type {Set<Line>} */
  const lines = new Set();
  let upstreamsNow = upstreams;

  /** @param {Socket} client @param {number} route */
  function join(client, route) {
    /** @type {Line} */
    const line = {
      client,
      upstream: openSocket(upstreamsNow[route], { allowHalfOpen: true }),
      isSilent: false,
    };
    lines.add(line);
    client.once('close', () => lines.delete(line));
    (delay?.pass ?? passAtOnce)(line, listenTo(client));
    for (const socket of [client, line.upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
  }

  const servers = upstreams.map((_, index) =>
    createServer({ noDelay: true, allowHalfOpen: true }, (client) => join(client, index)),
  );
  const listen = (/** @type {Server} */ server, port = firstPort) =>
    once(server.listen(port, host), 'listening');
  const refuse = () => {
    for (const server of servers) if (server.listening) server.close();
  };
  await Promise.all(servers.map((server) => listen(server)));
  const addresses = servers.map((server) => /** @type {AddressInfo} */ (server.address()));
  const ports = addresses.map(({ port }) => port);
  return {
    host: addresses[0].address,
    ports,

    /** @param {Interruption} interruption @returns {Promise<Interrupted>} */
    async interrupt({ kind, atMs: dueMs = sharedClock(), byMs = 0, untilMs = 0, resets, upstreams: to }) {
      await untilShared(dueMs);
      const needsOne = kind === 'cut' || kind === 'silence';
      const deadlineMs = sharedClock() + WAIT_FOR_ONE_MS;
      while (needsOne && lines.size === 0 && sharedClock() < deadlineMs) await setImmediate();
      const atMs = sharedClock();
      const met = [...lines].filter(({ client, isSilent }) => !isSilent && !client.destroyed);
      if (kind === 'close') refuse();
      if (kind === 'cut' || kind === 'close') for (const line of met) resetLine(line);
      // Both ends think they are connected, and nothing arrives: so it is when a NAT loses an entry.
      if (kind === 'silence') for (const line of met) silence(line);
      if (kind === 'delay') delay?.lengthen(byMs);
      if (to !== undefined) upstreamsNow = to;
      if (kind === 'open')
        await Promise.all(servers.map((server, index) => server.listening || listen(server, ports[index])));
      if (kind !== 'forget') return { atMs, connections: met.length };
      const forget = resets ? resetAtNext : silence;
      return { atMs, connections: await forgetIdle(lines, { idleMs: byMs, untilMs, forget }) };
    },
    delay,
    refuse,
    openLines: () => lines.size,

    /** Serves workers that remove their keys after the tool died, without delay or interruption. */
    async untilUnused() {
      if (delay === null) return;
      delay.move({ rttMs: 0, jitterPercent: 0 });
      delay.lengthen(0);
      for (const line of lines) if (line.isSilent) resetLine(line);
      for (let sinceMs = performance.now(); performance.now() - sinceMs < UNUSED_FOR_MS; ) {
        await sleep(LOOK_EVERY_MS);
        if (lines.size > 0) sinceMs = performance.now();
      }
    },

    async close() {
      refuse();
      for (const socket of sockets) socket.destroy();
      await delay?.stop();
    },
  };
}

/** For all connections together, which keeps the process below 200 MB. */
const ROOM_BYTES = 64e6;
/** One chunk of the size that Node reads. */
const LEAST_BYTES = 64 * 1024;
/** Overhead per chunk: buffer objects and agenda entry. */
const CHUNK_BYTES = 500;
/** Histogram range: seven minutes. */
const LONGEST_NS = 2 ** 32 * 100;

/** Adds network latency in front of a server. @param {Distance} distance @param {number} seed */
function createDelay(distance, seed) {
  const agenda = createAgenda();
  /** Round trips by how late they were written, both ways together, which costs the server nothing. */
  const late = new Uint32Array(placeOf(LONGEST_NS) + 1);
  let { rttMs } = distance;
  let drawDelayMs = createDelays(distance, seed);
  let extraMs = 0;
  let pauses = 0;
  let bufferedBytes = 0;
  /** Per direction. A fixed share would slow down a busy connection while the others are idle. */
  const room = () => Math.max(LEAST_BYTES, ROOM_BYTES - bufferedBytes);

  /**
   * Forwards chunks, end and reset in order, each after its delay.
   * @param {Line} line @param {Socket} source @param {Socket} sink @param {number} opensAtMs earlier chunks count as arriving
   *   then @param {(chunk: Buffer, lateMs: number) => void} onPassed
   */
  function connectDirection(line, source, sink, opensAtMs, onPassed) {
    let lastDueMs = 0;
    let waitingBytes = 0;
    let countedBytes = 0;

    const ownBytes = () => waitingBytes + (sink.destroyed ? 0 : sink.writableLength);

    function count() {
      bufferedBytes += ownBytes() - countedBytes;
      countedBytes = ownBytes();
    }

    /** @param {(dueMs: number) => void} pass @param {number} [bytes] */
    function hold(pass, bytes = 0) {
      waitingBytes += bytes;
      const arrivedMs = Math.max(agenda.now(), opensAtMs);
      lastDueMs = Math.max(lastDueMs, arrivedMs + drawDelayMs() + extraMs / 2);
      agenda.add(lastDueMs, (dueMs) => {
        waitingBytes -= bytes;
        if (!line.isSilent) pass(dueMs);
        count();
        resume();
      });
      count();
    }

    function resume() {
      if (!line.isSilent && source.isPaused() && ownBytes() <= room() / 2) source.resume();
    }

    source.on('data', (/** @type {Buffer} */ chunk) => {
      const waitedMs = agenda.waitedMs();
      hold((dueMs) => {
        sink.write(chunk);
        onPassed(chunk, performance.now() - dueMs + waitedMs);
      }, chunk.length + CHUNK_BYTES);
      if (ownBytes() > room()) {
        source.pause();
        pauses++;
      }
    });
    sink.on('drain', () => {
      count();
      resume();
    });
    sink.on('close', count);
    source.on('end', () => hold(() => sink.end()));
    source.on('error', () => hold(() => reset(sink)));
  }

  return {
    /** @param {Distance} to applies to new data, on open connections too */
    move(to) {
      rttMs = to.rttMs;
      drawDelayMs = createDelays(to, seed);
    },

    /** @param {Line} line @param {Listener} listener */
    pass(line, { fromClient, fromServer }) {
      const { client, upstream } = line;
      const acceptedMs = agenda.now();
      let requestLateMs = 0;
      // The client's kernel sees an instant connect; over a network that takes a round trip.
      connectDirection(line, client, upstream, acceptedMs + rttMs, (chunk, lateMs) => {
        fromClient(chunk);
        requestLateMs = lateMs;
      });
      connectDirection(line, upstream, client, acceptedMs + rttMs / 2, (chunk, lateMs) => {
        fromServer(chunk);
        late[placeOf(Math.min(LONGEST_NS, Math.round((requestLateMs + lateMs) * 1e6)))]++;
      });
    },

    /** @param {number} ms added to each round trip */
    lengthen(ms) {
      extraMs = ms;
    },

    /** @param {number} us that a PING took too long; the relay woke up twice for it */
    correct: (us) => agenda.setWaking(us / 1000 / 2),

    /** @returns {RelayFigures} since the last call */
    takeFigures() {
      const figures = { lateHdr: encodeHistogram(late, LONGEST_NS), pauses };
      late.fill(0);
      pauses = 0;
      return figures;
    },

    stop: agenda.stop,
  };
}

/** Per chunk and direction, with uniform jitter. @param {Distance} distance @param {number} seed @returns {() => number} ms */
export function createDelays({ rttMs, jitterPercent }, seed) {
  const halfMs = rttMs / 2;
  if (jitterPercent === 0) return () => halfMs;
  const random = xoroshiro128plus(seed);
  return () => halfMs * (1 + (jitterPercent / 100) * (2 * uniformFloat64(random) - 1));
}

/** @type {Listener} */
export const NOBODY = { fromClient() {}, fromServer() {} };

/** Forwards both directions without delay. @param {Line} line @param {Listener} listener */
function passAtOnce({ client, upstream }, { fromClient, fromServer }) {
  passTo(client, upstream, fromClient);
  passTo(upstream, client, fromServer);
}

/** @param {Socket} source @param {Socket} sink @param {(bytes: Buffer) => void} tell */
function passTo(source, sink, tell) {
  source.pipe(sink);
  source.on('data', tell);
  source.on('error', () => reset(sink));
  source.on('close', () => sink.destroySoon());
}

/** @param {Socket} socket Node 20 never closes one that is reset after its own FIN */
function reset(socket) {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
