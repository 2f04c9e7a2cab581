import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { printable, printableDeep } from '../../../../src/core/report/escaped.js';

describe('words/printable', () => {
  it('shows what would control a terminal as its number', () => {
    assert.equal(printable('a\x1b[2Jb'), 'a\\x1b[2Jb');
    assert.equal(
      printable('bell\x07 back\b tab\t return\r del\x7f'),
      'bell\\x07 back\\x08 tab\\x09 return\\x0d del\\x7f',
    );
    assert.equal(printable('one-byte CSI \x9b31m'), 'one-byte CSI \\x9b31m');
    assert.equal(printable('txt.\u202egnp'), 'txt.\\u202egnp');
  });
  it('leaves text as it is, in any script, and line feeds', () => {
    const text = 'µs, “réponse”, 応答, ответ, 👍\nnext line';
    assert.equal(printable(text), text);
  });
  it('reaches every text of a report, names of fields too', () => {
    const bad = '\x1b]0;title\x07';
    const good = '\\x1b]0;title\\x07';
    assert.deepEqual(printableDeep({ a: [bad, 1, null, { [bad]: true }] }), {
      a: [good, 1, null, { [good]: true }],
    });
  });
  it('never leaves a control behind, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const safe = printable(text);
        assert.doesNotMatch(safe, /(?!\n)\p{Cc}/u);
        assert.equal(stripVTControlCharacters(safe), safe);
      }),
      { numRuns: 10_000 },
    );
  });
});
