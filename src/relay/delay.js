import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { encodeHistogram, placeOf } from '../encode-histogram.js';
import { createAgenda } from './agenda.js';
import { connectDirection } from './direction.js';

/** @import { Distance, Line, Listener, Room } from './types.js' */

/** For all connections together, which keeps the process below 200 MB. */
const ROOM_BYTES = 64e6;
/** One chunk of the size that Node reads. */
const LEAST_BYTES = 64 * 1024;
/** Histogram range: seven minutes. */
const LONGEST_NS = 2 ** 32 * 100;

/** Adds network latency in front of a server. @param {Distance} distance @param {number} seed */
export function createDelay(distance, seed) {
  const agenda = createAgenda();
  const punctuality = createPunctuality();
  let extraMs = 0;
  let leg = legOf(distance, seed);
  let pauses = 0;
  let bufferedBytes = 0;
  /** @type {Room} */
  const room = {
    // A fixed share per connection would slow down a busy one while the others are idle.
    ofDirection: () => Math.max(LEAST_BYTES, ROOM_BYTES - bufferedBytes),
    take(bytes) {
      bufferedBytes += bytes;
    },
    onFull: () => pauses++,
  };

  /** @param {Distance} to applies to new data, on open connections too */
  function move(to) {
    leg = legOf(to, seed);
  }
  return {
    move,

    /** @param {Line} line @param {Listener} listener */
    pass(line, listener) {
      const { client, upstream } = line;
      const { rttMs } = leg;
      const acceptedMs = agenda.now();
      const trip = punctuality.ofConnection();
      const common = { agenda, drawDelayMs: () => leg.drawDelayMs() + extraMs / 2, room, line };
      connectDirection({
        ...common,
        source: client,
        sink: upstream,
        // The client's kernel sees an instant connect; over a network that takes a round trip.
        opensAtMs: acceptedMs + rttMs,
        onPassed(chunk, lateMs) {
          listener.fromClient(chunk);
          trip.request(lateMs);
        },
      });
      connectDirection({
        ...common,
        source: upstream,
        sink: client,
        opensAtMs: acceptedMs + rttMs / 2,
        onPassed(chunk, lateMs) {
          listener.fromServer(chunk);
          trip.reply(lateMs);
        },
      });
    },

    /** @param {number} ms added to each round trip */
    lengthen(ms) {
      extraMs = ms;
    },

    /** @param {number} us that a PING took too long; the relay woke up twice for it */
    correct: (us) => agenda.setWaking(us / 1000 / 2),

    takeFigures() {
      const figures = { lateHdr: punctuality.take(), pauses };
      pauses = 0;
      return figures;
    },

    stop: agenda.stop,
  };
}

/** @param {Distance} distance @param {number} seed */
const legOf = (distance, seed) => ({ rttMs: distance.rttMs, drawDelayMs: createDelays(distance, seed) });

/** Per chunk and direction, with uniform jitter. @param {Distance} distance @param {number} seed @returns {() => number} ms */
export function createDelays({ rttMs, jitterPercent }, seed) {
  const halfMs = rttMs / 2;
  if (jitterPercent === 0) return () => halfMs;
  const random = xoroshiro128plus(seed);
  return () => halfMs * (1 + (jitterPercent / 100) * (2 * uniformFloat64(random) - 1));
}

/** Compares due and write times of all traffic, in ns, which costs the server nothing. */
function createPunctuality() {
  const counts = new Uint32Array(placeOf(LONGEST_NS) + 1);
  return {
    ofConnection() {
      let requestLateMs = 0;
      return {
        /** @param {number} lateMs */
        request(lateMs) {
          requestLateMs = lateMs;
        },
        /** @param {number} lateMs */
        reply(lateMs) {
          counts[placeOf(Math.min(LONGEST_NS, Math.round((requestLateMs + lateMs) * 1e6)))]++;
        },
      };
    },

    /** @returns {string} encoded; resets the counts */
    take() {
      const encoded = encodeHistogram(counts, LONGEST_NS);
      counts.fill(0);
      return encoded;
    },
  };
}
