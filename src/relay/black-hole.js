import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

/** With the shortest queue the kernel completes this many connects without an accept, and ignores the rest. */
const QUEUED = 2;

/**
 * Lets connects hang, as a host without a network does; kernels retry after 1, 3 and 7 s. Refusing would inform
 * clients.
 * @param {{host: string, port: number}} address @param {() => void} free closes the current listener
 */
export async function openBlackHole(address, free) {
  const thread = new Worker(new URL('./black-hole-thread.js', import.meta.url), { workerData: address });
  await once(thread, 'message');
  // Only now, so that no client is refused in between.
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
