import { answerRequests } from '../process/answer-requests.js';
import { startRelay } from './relay.js';

/** @type {Awaited<ReturnType<typeof startRelay>> | undefined} */
let relay;

answerRequests(
  {
    async listen(job) {
      relay = await startRelay(job);
      return { host: relay.host, ports: relay.ports };
    },
    move: async (distance) => relay?.delay?.move(distance),
    correct: async (us) => relay?.delay?.correct(us),
    figures: async () => relay?.delay?.takeFigures(),
    interrupt: async (interruption) => relay?.interrupt(interruption),
  },
  async () => relay?.untilUnused(),
);
