import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { encodeHistogram, placeOf } from '../encode-histogram.js';
import { createAgenda } from './agenda.js';
import { connectDirection } from './direction.js';

/** @import { Distance, Line, Listener, RelayFigures, Room } from './types.js' */

/** What may wait in all connections together, so that the process stays below 200 MB. */
const ROOM_BYTES = 64e6;
/** A direction always has room for a chunk as large as Node reads. */
const LEAST_BYTES = 64 * 1024;
/** What the histogram can count: seven minutes. */
const LONGEST_NS = 2 ** 32 * 100;

/** The part of the relay that makes its server seem further away. @param {Distance} distance @param {number} seed */
export function createDelay(distance, seed) {
  const agenda = createAgenda();
  const punctuality = createPunctuality();
  let extraMs = 0;
  let toPrimaries = legOf(distance, seed);
  let toReplicas = toPrimaries;
  let pauses = 0;
  let bufferedBytes = 0;
  /** @type {Room} */
  const room = {
    // A share for each of many connections that are idle would hold up the one that is not.
    ofDirection: () => Math.max(LEAST_BYTES, ROOM_BYTES - bufferedBytes),
    take(bytes) {
      bufferedBytes += bytes;
    },
    onFull: () => pauses++,
  };

  /** @param {Distance} to for all that comes from now on, on connections that are open too */
  function move(to) {
    toPrimaries = legOf(to, seed);
    toReplicas = to.replicaRttMs === undefined ? toPrimaries : legOf({ ...to, rttMs: to.replicaRttMs }, seed);
  }
  move(distance);
  return {
    move,

    /** @param {Line} line @param {Listener} listener */
    pass(line, listener) {
      const { client, upstream, toReplica } = line;
      const leg = () => (toReplica ? toReplicas : toPrimaries);
      const { rttMs } = leg();
      const acceptedMs = agenda.now();
      const trip = punctuality.ofConnection();
      const common = { agenda, drawDelayMs: () => leg().drawDelayMs() + extraMs / 2, room, line };
      connectDirection({
        ...common,
        source: client,
        sink: upstream,
        // For the client's kernel it is connected at once; from afar that takes a round trip.
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

    /** @param {number} ms that round trips take longer */
    lengthen(ms) {
      extraMs = ms;
    },

    /** @param {number} us that a PING took too long through it: twice it had to be woken up */
    correct: (us) => agenda.setWaking(us / 1000 / 2),

    /** @returns {RelayFigures} */
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

/**
 * The delay of each chunk in one direction: half of the round trip, and with jitter up to this part of it more or less,
 * all values alike.
 * @param {Distance} distance @param {number} seed @returns {() => number} milliseconds
 */
export function createDelays({ rttMs, jitterPercent }, seed) {
  const halfMs = rttMs / 2;
  if (jitterPercent === 0) return () => halfMs;
  const random = xoroshiro128plus(seed);
  return () => halfMs * (1 + (jitterPercent / 100) * (2 * uniformFloat64(random) - 1));
}

/**
 * How exact the relay is: what round trips take longer than they should, in nanoseconds. It is known of each chunk when
 * it was due and when it was written, so this covers all traffic and costs the server nothing.
 */
function createPunctuality() {
  const counts = new Uint32Array(placeOf(LONGEST_NS) + 1);
  return {
    /** Told of the chunks of one connection, how late they left. */
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

    /** @returns {string} of all since the last call, encoded */
    take() {
      const encoded = encodeHistogram(counts, LONGEST_NS);
      counts.fill(0);
      return encoded;
    },
  };
}
