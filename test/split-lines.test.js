import assert from 'node:assert/strict';
import { createLineSplitter, withoutMark } from '../src/split-lines.js';

describe('lines of chunks', () => {
  /** @param {string[]} chunks @param {number} longest */
  function split(chunks, longest) {
    /** @type {string[]} */
    const told = [];
    const splitter = createLineSplitter(longest, {
      onLine: (line, whole) => void told.push(`${line}${whole ? '' : ' torn'}`),
      onTooLong: () => void told.push('too long'),
    });
    for (const chunk of chunks) {
      splitter.take(Buffer.from(chunk));
      told.push('|');
    }
    splitter.end();
    return told.join(' ');
  }

  it('are put together, wherever the chunks end', () => {
    const text = 'one\n\nthree and more\nlast';
    for (let size = 1; size <= text.length; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      assert.equal(
        split(chunks, 100).replaceAll('| ', ''),
        'one  three and more last torn',
        `chunks of ${size}`,
      );
    }
  });

  it('are told of once when they are too long, as soon as they are, and those after them come', () => {
    assert.equal(
      split(['abcd\nabcde\nx', 'yz', '12345', '678', '9\nend\n', 'abcdef'], 4),
      ['abcd too long | | too long | | end | too long |'].join(),
    );
    assert.equal(withoutMark('\uFEFF{}'), '{}');
  });
});
