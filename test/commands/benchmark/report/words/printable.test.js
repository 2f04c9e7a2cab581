import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { inJson, printable, printableBeside, printableDeep } from '../../../../../src/report/escaped.js';
import { fuzz } from '../../../../helpers/nightly.js';
import { anyText } from '../../../../helpers/poison.js';

describe('words/printable', () => {
  it('shows what would control a terminal as its number', () => {
    assert.equal(printable('a\x1b[2Jb'), 'a\\x1b[2Jb');
    assert.equal(
      printable('bell\x07 back\b tab\t return\r del\x7f'),
      'bell\\x07 back\\x08 tab\\t return\\r del\\x7f',
    );
    assert.equal(printable('one-byte CSI \x9b31m'), 'one-byte CSI \\x9b31m');
    assert.equal(printable('txt.\u202egnp'), 'txt.\\u202egnp');
  });
  it('shows what would break a line, write backwards, or show nothing, and half a character', () => {
    assert.equal(printable('a\nb\u2028c\u2029d\x85e'), 'a\\nb\\u2028c\\u2029d\\x85e');
    assert.equal(printable('ad\u200bmin\ufeff \u{e0041}'), 'ad\\u200bmin\\ufeff \\u{e0041}');
    assert.equal(printable('half \ud83d'), 'half \\ud83d');
  });
  it('shows from the fifth on marks that pile up on one letter', () => {
    assert.equal(
      printable('Z\u0301\u0302\u0303\u0304\u0305\u0306!'),
      'Z\u0301\u0302\u0303\u0304\\u0305\\u0306!',
    );
  });
  it('leaves text as it is, in any script', () => {
    const text = 'µs, “réponse”, 応答, ответ, हिन्दी, שָׁלוֹם, 👍';
    assert.equal(printable(text), text);
  });
  it('keeps in JSON what a text is, on as many lines', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const json = inJson({ [text]: [text] });
        assert.deepEqual(JSON.parse(json), { [text]: [text] });
        assert.equal(json, `${printableBeside('\\n')(json)}`);
        assert.equal(json.split('\n').length, 6);
      }),
      fuzz(500),
    );
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
      fc.property(anyText(), (text) => {
        const safe = printable(text);
        assert.doesNotMatch(safe, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        assert.equal(printable(safe), safe);
        assert.equal(stripVTControlCharacters(safe), safe);
      }),
      fuzz(2000),
    );
  });
});
