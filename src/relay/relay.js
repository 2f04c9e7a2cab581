import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgenda } from './agenda.js';
import { createDelays } from './delays.js';
import { connectDirection } from './direction.js';
import { createPunctuality } from './punctuality.js';
import { createFaults, reset } from './relay-faults.js';

/**
 * @import { AddressInfo, Server, Socket } from 'node:net'
 * @import { Distance, Line, RelayFigures, RelayJob, Room, Upstream } from './types.js'
 */

/** What may wait in all connections together, so that the process stays below 200 MB. */
const ROOM_BYTES = 64e6;
/** A direction always has room for a chunk as large as Node reads. */
const LEAST_BYTES = 64 * 1024;
/** A client whose connection a fault has cut opens another one soon. */
const UNUSED_FOR_MS = 500;
const LOOK_EVERY_MS = 20;

/**
 * Listens on a port of 127.0.0.1 for each upstream, and passes connections on to it as if it were further
 * away.
 *
 * @param {RelayJob} job
 */
export async function startRelay({ upstreams, seed, ...job }) {
  const agenda = createAgenda();
  let { distance } = job;
  let drawDelayMs = createDelays(distance, seed);
  const punctuality = createPunctuality();
  /** @type {Set<Socket>} */
  const sockets = new Set();
  /** @type {Set<Line>} */
  const lines = new Set();
  let upstreamsNow = upstreams;
  let extraMs = 0;
  let pauses = 0;
  let heldBytes = 0;
  /** @type {Room} */
  const room = {
    // A share for each of many connections that are idle would hold up the one that is not.
    ofDirection: () => Math.max(LEAST_BYTES, ROOM_BYTES - heldBytes),
    take(bytes) {
      heldBytes += bytes;
    },
    onFull: () => pauses++,
  };

  /** @param {Socket} client @param {Upstream} address */
  function join(client, address) {
    const acceptedMs = agenda.now();
    const upstream = connect({ ...address, noDelay: true, allowHalfOpen: true });
    const trip = punctuality.ofConnection();
    const line = { client, upstream, isSilent: false };
    lines.add(line);
    client.once('close', () => lines.delete(line));
    const common = { agenda, drawDelayMs: () => drawDelayMs() + extraMs / 2, room, line };
    connectDirection({
      ...common,
      source: client,
      sink: upstream,
      // The kernel has told the client at once that it is connected; from afar that takes a round trip.
      opensAtMs: acceptedMs + distance.rttMs,
      onPassed: trip.request,
    });
    connectDirection({
      ...common,
      source: upstream,
      sink: client,
      opensAtMs: acceptedMs + distance.rttMs / 2,
      onPassed: trip.reply,
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
  }

  const servers = upstreams.map((_, index) =>
    createServer({ noDelay: true, allowHalfOpen: true }, (client) => join(client, upstreamsNow[index])),
  );
  const listen = (/** @type {Server} */ server, port = 0) =>
    once(server.listen(port, '127.0.0.1'), 'listening');
  await Promise.all(servers.map((server) => listen(server)));
  const ports = servers.map((server) => /** @type {AddressInfo} */ (server.address()).port);
  return {
    ports,

    faults: createFaults(lines, {
      delay(ms) {
        extraMs = ms;
      },
      close() {
        for (const server of servers) if (server.listening) server.close();
      },
      async open() {
        await Promise.all(servers.map((server, index) => server.listening || listen(server, ports[index])));
      },
      lead(to) {
        upstreamsNow = to;
      },
    }),

    /** @returns {RelayFigures} */
    takeFigures() {
      const figures = { lateHdr: punctuality.take(), pauses };
      pauses = 0;
      return figures;
    },

    /** @param {Distance} to for all that comes from now on, on connections that are open too */
    move(to) {
      distance = to;
      drawDelayMs = createDelays(distance, seed);
    },

    /** @param {number} us that a PING took too long through it: twice it had to be woken up */
    correct: (us) => agenda.setWaking(us / 1000 / 2),

    /** Serves workers that remove their keys because the tool is gone, and hinders them no more. */
    async untilUnused() {
      this.move({ rttMs: 0, jitterPercent: 0 });
      extraMs = 0;
      for (const line of lines) if (line.isSilent) reset(line);
      for (let since = agenda.now(); agenda.now() - since < UNUSED_FOR_MS; ) {
        await sleep(LOOK_EVERY_MS);
        if (lines.size > 0) since = agenda.now();
      }
    },

    /** Ends it with all connections. */
    async close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
      await agenda.stop();
    },
  };
}
