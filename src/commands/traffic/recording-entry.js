import { answerRequests } from '../../process/answer-requests.js';
import { startRecordingRelay } from './recording.js';

/** @type {Awaited<ReturnType<typeof startRecordingRelay>> | undefined} */
let relay;

answerRequests({
  async listen(job) {
    relay = await startRecordingRelay(job);
    return { host: relay.host, ports: relay.ports };
  },
  state: async () => relay?.state(),
  stop: async (reason) => relay?.stop(reason),
});
