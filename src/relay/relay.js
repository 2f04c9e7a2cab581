import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSocket } from '../server/sockets.js';
import { createDelay } from './delay.js';
import { NOBODY, passAtOnce } from './direction.js';
import { createFaults, resetLine } from './relay-faults.js';

/** @import { AddressInfo, Server, Socket } from 'node:net' */
/** @import { EndReason } from '../traffic/types.js' */
/** @import { startRecording } from '../traffic/recording.js' */
/** @import { Line, Listener, RelayJob, RelayRecording } from './types.js' */

/** A client reconnects soon after a fault cut its connection. */
const UNUSED_FOR_MS = 500;
const LOOK_EVERY_MS = 20;

/** Forwards each upstream from a port of 127.0.0.1 by default, delayed if `distance` is given. @param {RelayJob} job */
export async function startRelay({ upstreams, listen: at, distance, seed = 0, recording }) {
  const { host, port: firstPort } = at ?? { host: '127.0.0.1', port: 0 };
  const delay = distance === undefined ? null : createDelay(distance, seed);
  /** @type {ReturnType<typeof startRecording> | null} */
  let tape = null;
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
    (delay?.pass ?? passAtOnce)(line, tapeFor(line, tape));
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
  // Before the first connection. Loaded only to record: a relay that only delays must start quickly.
  const recorder = recording && (await import('../traffic/recording.js'));
  await Promise.all(servers.map((server) => listen(server)));
  if (recorder) tape = recorder.startRecording(/** @type {NonNullable<typeof recording>} */ (recording));
  const addresses = servers.map((server) => /** @type {AddressInfo} */ (server.address()));
  const ports = addresses.map(({ port }) => port);
  return {
    host: addresses[0].address,
    ports,

    faults: createFaults(lines, {
      delay: (ms) => delay?.lengthen(ms),
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
    delay,

    /** @returns {RelayRecording | undefined} */
    state: () => tape?.state() && { ...tape.state(), open: lines.size },

    /** @param {EndReason} reason */
    async stop(reason) {
      for (const server of servers) server.close();
      await tape?.end(reason);
      const state = this.state();
      await this.close();
      return state;
    },

    /** Serves workers that remove their keys after the tool died, without delay or faults. */
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
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
      await delay?.stop();
    },
  };
}

/** @param {Line} line @param {ReturnType<typeof startRecording> | null} tape @returns {Listener} */
function tapeFor({ client }, tape) {
  const conversation = tape?.converse();
  if (!conversation) return NOBODY;
  client.once('close', conversation.close);
  return { fromClient: conversation.fromService, fromServer: conversation.fromServer };
}
