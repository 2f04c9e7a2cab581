import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ASKED, SLEEP_US } from '../../src/relay/agenda.js';
import { until } from '../helpers/until.js';

const THREAD = new URL('../../src/relay/sleeper-thread.js', import.meta.url);
const LONG_US = 600e6;

describe('relay/sleeper', () => {
  it('tells of its end where it is called out of the very sleep that it was called for', async () => {
    const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    const state = new Int32Array(shared);
    Atomics.store(state, SLEEP_US, LONG_US);
    Atomics.store(state, ASKED, 1);
    const thread = new Worker(THREAD, { workerData: shared });
    try {
      const told = once(thread, 'message', { signal: AbortSignal.timeout(10_000) });
      told.catch(() => {});
      // As where the one who asks is held up between asking and calling.
      await until('it to sleep', () => Atomics.notify(state, ASKED) > 0);
      assert.deepEqual(await told, [null]);
    } finally {
      await thread.terminate();
    }
  });
});
