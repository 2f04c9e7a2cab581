import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';

/** What the histogram can count: seven minutes. */
const LONGEST_NS = 2 ** 32 * 100;

/**
 * How exact the relay is: what round trips take longer than they should, in nanoseconds. It is known of each
 * chunk when it was due and when it was written, so this covers all traffic and costs the server nothing.
 */
export function createPunctuality() {
  const late = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_NS,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });
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
          late.recordValue(Math.min(LONGEST_NS, Math.round((requestLateMs + lateMs) * 1e6)));
        },
      };
    },

    /** @returns {string} of all since the last call, encoded */
    take() {
      const encoded = encodeIntoCompressedBase64(late);
      late.reset();
      return encoded;
    },
  };
}
