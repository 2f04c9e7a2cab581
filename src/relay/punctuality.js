import { build } from 'hdr-histogram-js';

/**
 * How exact the relay is: what round trips take longer than they should. It is known of each chunk when it was
 * due and when it was written, so this covers all traffic and costs the server nothing.
 */
export function createPunctuality() {
  const late = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60e6,
    numberOfSignificantValueDigits: 2,
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
          late.recordValue(Math.min(60e6, Math.round((requestLateMs + lateMs) * 1000)));
        },
      };
    },

    /** @returns of all since the last call */
    take() {
      const figures = {
        count: late.totalCount,
        lateP50Us: late.getValueAtPercentile(50),
        lateP99Us: late.getValueAtPercentile(99),
      };
      late.reset();
      return figures;
    },
  };
}
