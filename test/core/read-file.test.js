import assert from 'node:assert/strict';
import { createLineSplitter, parseJson, withoutMark } from '../../src/core/read-file.js';

describe('json', () => {
  for (const [text, line, column] of /** @type {[string, number, number][]} */ ([
    ['{nope', 1, 2],
    ['{"a":hunter2}', 1, 6],
    ['{"password": "hunter2",\n x}', 2, 2],
    ['{"password":\n  "hunter2"\n  "b": 1}', 3, 3],
    ['[1,2,]', 1, 6],
    ['{"a": "hunter2', 1, 15],
    ['{"a": -}', 1, 8],
    ['{} hunter2', 1, 4],
    ['', 1, 1],
  ])) {
    it(`names the place of an error and quotes nothing: ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseJson(text), {
        message: `expected JSON, but there is an error in line ${line}, column ${column}`,
      }));
  }

  it('refuses what would overflow the stack of its readers', () =>
    assert.throws(() => parseJson(`${'['.repeat(9000)}${']'.repeat(9000)}`), /more than 100 levels/));
});

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

  it('are reported once when they are too long, as soon as they are, and those after them come', () => {
    assert.equal(
      split(['abcd\nabcde\nx', 'yz', '12345', '678', '9\nend\n', 'abcdef'], 4),
      ['abcd too long | | too long | | end | too long |'].join(),
    );
    assert.equal(withoutMark('\uFEFF{}'), '{}');
  });
});
