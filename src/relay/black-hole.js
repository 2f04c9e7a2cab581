import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

/** With the shortest queue the kernel completes this many connects without an accept, and ignores the rest. */
const QUEUED = 2;

/**
 * A host without a network lets connects hang; kernels retry after 1, 3 and 7 s. A refusal would show that it is up.
 * @param {{host: string, port: number}} address @param {() => void} free
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
