import assert from 'node:assert/strict';
import { createCounter } from '../../../src/commands/breakdown/count-values.js';

/** Each is one value, or none. @type {[text: string, values: number][]} */
const STREAMS = [
  ['+OK\r\n', 1],
  ['-ERR 5 of 7 - no\r\n', 1],
  [':-12\r\n', 1],
  ['$5\r\n*1\r\n$\r\n', 1],
  ['$0\r\n\r\n', 1],
  ['$-1\r\n', 1],
  ['*-1\r\n', 1],
  ['*0\r\n', 1],
  ['*2\r\n$3\r\nGET\r\n$1\r\nk\r\n', 1],
  ['*2\r\n*1\r\n:1\r\n*2\r\n$-1\r\n*0\r\n', 1],
  ['%1\r\n+a\r\n*1\r\n:1\r\n', 1],
  ['~2\r\n,1.5\r\n#t\r\n', 1],
  ['=7\r\ntxt:a\r\n\r\n', 1],
  ['_\r\n', 1],
  ['(123456789012345678901234567890\r\n', 1],
  ['>2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n', 0],
  ['|1\r\n+ttl\r\n:3\r\n', 0],
];

describe('values in a stream of RESP', () => {
  for (const [text, values] of STREAMS)
    it(`${JSON.stringify(text)} is ${values}, whole or byte by byte, between others`, () => {
      const stream = Buffer.from(`+before\r\n${text}:1\r\n`);
      assert.equal(createCounter()(stream, stream.length), values + 2);
      const count = createCounter();
      const counts = Array.from(stream, (_, at) => count(stream.subarray(at, at + 1), 1));
      assert.equal(counts.at(-1), values + 2);
      // Not whole before its last byte.
      assert.equal(counts.at(-6), 1);
      assert.equal(counts.at(-5), values + 1);
    });

  it('bytes behind the end are not read', () => {
    const bytes = Buffer.from('+OK\r\n+OK\r\n');
    assert.equal(createCounter()(bytes, 5), 1);
  });
});
