import { answerRequests } from '../../process/answer-requests.js';
import { sharedClock } from '../../process/shared-clock.js';
import { startRelay } from '../../relay/relay.js';
import { createCounter } from './count-values.js';
import { createLog } from './event-log.js';

/** @import { Socket } from 'node:net' */
/** @import { SeenInRelay } from './types.js' */

/** @type {Awaited<ReturnType<typeof startRelay>> | undefined} */
let relay;
/** Replies that were handed on. */
const arrived = createLog();
/** @type {number[]} */
const ports = [];

/** @param {Socket} client */
function noteReplies(client) {
  const socket = ports.push(Number(client.remotePort)) - 1;
  const count = createCounter();
  let known = 0;
  return {
    fromClient() {},
    fromServer(/** @type {Buffer} */ bytes) {
      const atMs = performance.now();
      const whole = count(bytes, bytes.length);
      if (whole > known) arrived.add(socket, whole, atMs);
      known = whole;
    },
  };
}

answerRequests(
  {
    async listen(job) {
      relay = await startRelay(job, noteReplies);
      return { host: relay.host, ports: relay.ports };
    },
    correct: async (us) => relay?.delay?.correct(us),
    figures: async () => relay?.delay?.takeFigures(),
    clock: async () => sharedClock(),
    'begin-breakdown': async () => arrived.clear(),
    /** @returns {Promise<SeenInRelay>} */
    'take-breakdown': async () => ({ ports, arrived: arrived.take() }),
  },
  async () => relay?.untilUnused(),
);
