import assert from 'node:assert/strict';
import { entriesOf } from '../../../src/plugins/shared/stream-entries.js';

const ENTRIES = [
  ['1-0', ['message', 'a']],
  ['2-0', ['message', 'b']],
];

describe('plugins/shared/stream-entries', () => {
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
