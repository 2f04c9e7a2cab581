import { answerRequests } from '../process/answer-requests.js';
import { startRelay } from './relay.js';

/** @type {Awaited<ReturnType<typeof startRelay>> | undefined} */
let relay;

/** The process of a relay that keeps a server at a distance. */
answerRequests(
  {
    async listen(job) {
      relay = await startRelay(job);
      return relay.ports;
    },
    move: async (distance) => relay?.move(distance),
    correct: async (us) => relay?.correct(us),
    figures: async () => relay?.takeFigures(),
    fault: async (fault) => relay?.faults(fault),
  },
  async () => relay?.untilUnused(),
);
