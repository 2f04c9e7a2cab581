import assert from 'node:assert/strict';
import { createBlockingReceiver } from '../../../src/plugins/shared/blocking-receiver.js';

/** More than its promises take to settle. */
const MOST_TICKS = 10;

/** @param {number} count of microtasks */
async function pass(count) {
  for (let tick = 0; tick < count; tick++) await null;
}

describe('plugins/shared/blocking-receiver', () => {
  it('takes a message that is sent at any moment after it took the last', async () => {
    let underWay = 0;
    const tools = /** @type {any} */ ({
      connect: async () => ({ close: async () => {} }),
      ledger: { underWay: () => underWay },
    });
    const receiver = await createBlockingReceiver(tools, async () => {
      underWay = 0;
    });
    for (let ticks = 0; ticks < MOST_TICKS; ticks++) {
      for (const between of [ticks, MOST_TICKS]) {
        underWay = 1;
        receiver.expect();
        await pass(between);
      }
      assert.equal(underWay, 0, `sent ${ticks} microtasks later`);
    }
  });
});
