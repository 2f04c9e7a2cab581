import assert from 'node:assert/strict';
import { createBlockingReceiver, entriesOf } from '../../../src/commands/messages/receivers.js';

/** More than its promises take to settle. */
const MOST_TICKS = 10;

/** @param {number} count of microtasks */
async function pass(count) {
  for (let tick = 0; tick < count; tick++) await null;
}

const ENTRIES = [
  ['1-0', ['message', 'a']],
  ['2-0', ['message', 'b']],
];

describe('messages/receivers', () => {
  it('takes a message that is sent at any moment after it took the last', async () => {
    let inFlight = 0;
    const tools = /** @type {any} */ ({
      connect: async () => ({ close: async () => {} }),
      ledger: { inFlight: () => inFlight },
    });
    const receiver = await createBlockingReceiver(tools, async () => {
      inFlight = 0;
    });
    for (let ticks = 0; ticks < MOST_TICKS; ticks++) {
      for (const between of [ticks, MOST_TICKS]) {
        inFlight = 1;
        receiver.expect();
        await pass(between);
      }
      assert.equal(inFlight, 0, `sent ${ticks} microtasks later`);
    }
  });

  it('reads a reply of XREADGROUP in the form of each client', () => {
    const ofGlide = ENTRIES.map(([key, [name, value]]) => ({ key, value: [[name, value]] }));
    const replies = [
      [['stream', ENTRIES]],
      ['stream', ENTRIES],
      new Map([['stream', ENTRIES]]),
      { stream: ENTRIES },
      [{ key: 'stream', value: ofGlide }],
    ];
    for (const reply of replies) {
      assert.deepEqual(entriesOf(reply), [
        ['1-0', 'a'],
        ['2-0', 'b'],
      ]);
    }
    assert.deepEqual(entriesOf(null), []);
  });
});
