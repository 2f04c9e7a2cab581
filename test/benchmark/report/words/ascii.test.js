import assert from 'node:assert/strict';
import { toAscii } from '../../../../src/core/report/escaped.js';

describe('words/ascii', () => {
  it('keeps columns where they are', () => {
    const lines = ['  ops/s   ±  slower', '  7,767 1 % fastest', '───────────', '0.43 µs · 8x'];
    for (const line of lines) assert.equal(toAscii(line).length, line.length);
    assert.equal(toAscii(lines[0]), '  ops/s  +-  slower');
  });
  it('says where a character has no likeness', () => assert.equal(toAscii('naïve 🚀'), 'na?ve ?'));
  it('leaves ASCII alone, colours included', () =>
    assert.equal(toAscii('\u001b[1ma|b\u001b[22m\n'), '\u001b[1ma|b\u001b[22m\n'));
});
