/**
 * The relay's process: answers requests of the parent and ends with it. Requests are {id, method, params},
 * answers {id, result} or {id, error}, all plain JSON.
 */
import { messageOf } from '../errors.js';
import { startRelay } from './relay.js';

/** @type {Awaited<ReturnType<typeof startRelay>> | undefined} */
let relay;

/** @type {Record<string, (params: any) => Promise<unknown>>} */
const methods = {
  async listen(job) {
    relay = await startRelay(job);
    return relay.ports;
  },
  correct: async (us) => relay?.correct(us),
  figures: async () => relay?.takeFigures(),
  fault: async (fault) => relay?.faults(fault),
};

process.on('message', async (/** @type {any} */ { id, method, params }) => {
  const answer = await methods[method](params).then(
    (result) => ({ id, result }),
    (error) => ({ id, error: { message: messageOf(error) } }),
  );
  if (process.connected) process.send?.(answer);
});

// The parent is gone, perhaps by kill -9.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
