import { answerRequests } from '../process/answer-requests.js';
import { startTap } from './tap.js';

/** @type {Awaited<ReturnType<typeof startTap>> | undefined} */
let tap;

/** The process of a relay that records. */
answerRequests({
  async listen(job) {
    tap = await startTap(job);
    return tap.address;
  },
  state: async () => tap?.state(),
  stop: async (reason) => tap?.stop(reason),
});
