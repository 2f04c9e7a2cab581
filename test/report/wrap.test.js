import assert from 'node:assert/strict';
import { columnsOf, cut, fitLines, wrap } from '../../src/report/wrap.js';

describe('report/wrap', () => {
  it('leaves a number in the line of its unit, and a sign in that of the fact before it', () => {
    for (const kept of ['8 tasks', '± 28 %', '(120 µs', '2x AMD', '1,000 characters', '= 0.012', 'redis ·'])
      assert.ok(
        wrap(`before ${kept} after`, 1).some((line) => line.includes(kept)),
        kept,
      );
  });

  it('breaks lists of numbers, and gives no line of an empty text', () => {
    assert.deepEqual(wrap('1 2 3', 1), ['1', '2', '3']);
    assert.deepEqual(wrap('', 80), []);
  });
});

describe('report/wrap, the width of a text', () => {
  it('is in columns: two for what is as wide as two letters, none for a mark on a letter', () => {
    for (const [text, columns] of /** @type {[string, number][]} */ ([
      ['µs', 2],
      ['応答', 4],
      ['サーバー', 8],
      ['ｻｰﾊﾞｰ', 5],
      ['한국', 4],
      ['👍', 2],
      ['é', 1],
      ['e\u0301', 1],
      ['…─│', 3],
    ]))
      assert.equal(columnsOf(text), columns, text);
  });

  it('is kept by what is cut and broken, and no letter is torn', () => {
    assert.equal(cut('応答応答', 5), '応答');
    assert.equal(cut('👍👍', 3), '👍');
    assert.deepEqual(fitLines('👍👍👍', 4), ['👍👍', '👍']);
    assert.deepEqual(fitLines('👍', 1), ['👍']);
  });
});
