import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

/** What the kernel connects though nobody accepts it, with the shortest queue; all others that knock get no reply. */
const QUEUED = 2;

/**
 * Has an address swallow what knocks, as that of a host without a network does: a connect waits, and is tried again by
 * the client's kernel after 1, 3 and 7 s. To refuse it, or to accept it, would tell clients something.
 * @param {{host: string, port: number}} address of this machine @param {() => void} free ends what listens there
 */
export async function openBlackHole(address, free) {
  const thread = new Worker(new URL('./black-hole-thread.js', import.meta.url), { workerData: address });
  await once(thread, 'message');
  // Only now, so that nobody is refused meanwhile.
  free();
  thread.postMessage(null);
  await once(thread, 'message');
  const fillers = Array.from({ length: QUEUED }, () => connect(address));
  for (const filler of fillers) filler.on('error', () => {});
  return {
    async close() {
      await thread.terminate();
      for (const filler of fillers) filler.destroy();
    },
  };
}
