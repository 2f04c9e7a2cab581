import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createInbox, ErrorReply, ProtocolError, readReply } from '../../src/relay/resp.js';
import { fuzz } from '../helpers/nightly.js';
import { anyText } from '../helpers/poison.js';

const TRIES = fuzz(3000);

/** @typedef {{bytes: Buffer, value: unknown}} Reply */

const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ' '));
const integer = fc.integer();
const { reply } = fc.letrec((/** @type {(name: string) => fc.Arbitrary<unknown>} */ tie) => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    line.map((text) => ({ bytes: Buffer.from(`+${text}\r\n`), value: text })),
    line.map((text) => ({ bytes: Buffer.from(`-${text}\r\n`), value: new ErrorReply(text) })),
    integer.map((number) => ({ bytes: Buffer.from(`:${number}\r\n`), value: number === 0 ? 0 : number })),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => ({
      bytes: Buffer.from(`$${Buffer.byteLength(text)}\r\n${text}\r\n`),
      value: Buffer.from(text).toString(),
    })),
    fc.constantFrom('$-1\r\n', '*-1\r\n').map((text) => ({ bytes: Buffer.from(text), value: null })),
    fc.array(/** @type {fc.Arbitrary<Reply>} */ (tie('reply')), { maxLength: 4 }).map((members) => ({
      bytes: Buffer.concat([Buffer.from(`*${members.length}\r\n`), ...members.map(({ bytes }) => bytes)]),
      value: members.map(({ value }) => value),
    })),
  ),
}));
/** @type {fc.Arbitrary<Reply[]>} */
const replies = fc.array(/** @type {fc.Arbitrary<Reply>} */ (reply), { minLength: 1, maxLength: 4 });

/** What RESP looks like where it is broken: pieces of it, and anything. */
const broken = fc
  .array(
    fc.oneof(
      fc.constantFrom('*', '$', ':', '+', '-', '\r\n', '\r', '\n', '-1', '0', '2', '7', '99999999999', '-7'),
      anyText({ maxLength: 5 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => Buffer.from(parts.join(''), 'latin1'));

/**
 * @param {Buffer[]} chunks
 * @returns {{values: unknown[], error: string | null}} what was read until the end, or the first error
 */
function readAll(chunks) {
  /** @type {unknown[]} */
  const values = [];
  const receive = createInbox((bytes, start, end, begun) => {
    const parsed = readReply(bytes, start, end, false, begun);
    if (parsed.next !== -1) values.push(parsed.value);
    return parsed;
  });
  try {
    for (const chunk of chunks) {
      // As a socket's buffer: other bytes lie behind those that count, and all are overwritten later.
      const reused = Buffer.concat([chunk, Buffer.from('$3\r\nold\r\n')]);
      receive(reused, chunk.length);
      reused.fill(0);
    }
    return { values, error: null };
  } catch (error) {
    assert.ok(error instanceof ProtocolError, String(error));
    return { values, error: error.message };
  }
}

describe('resp, with anything that a stream may hold', () => {
  it('reads generated replies the same, wherever the stream is cut in two', () => {
    fc.assert(
      fc.property(replies, (all) => {
        const stream = Buffer.concat(all.map(({ bytes }) => bytes));
        const expected = { values: all.map(({ value }) => value), error: null };
        for (let cut = 0; cut < stream.length; cut++) {
          assert.deepEqual(readAll([stream.subarray(0, cut), stream.subarray(cut)]), expected);
        }
      }),
      { ...TRIES, numRuns: TRIES.numRuns / 10 },
    );
  });

  it('reads generated replies the same in any pieces', () => {
    fc.assert(
      fc.property(replies, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (all, sizes) => {
        const stream = Buffer.concat(all.map(({ bytes }) => bytes));
        const pieces = [];
        for (let at = 0, index = 0; at < stream.length; at += sizes[index++ % sizes.length]) {
          pieces.push(stream.subarray(at, at + sizes[index % sizes.length]));
        }
        assert.deepEqual(readAll(pieces), { values: all.map(({ value }) => value), error: null });
      }),
      TRIES,
    );
  });

  it('refuses broken streams with a ProtocolError, the same one wherever they are cut', () => {
    fc.assert(
      fc.property(broken, fc.nat(), (stream, at) => {
        const whole = readAll([stream]);
        const cut = stream.length === 0 ? 0 : at % stream.length;
        assert.deepEqual(readAll([stream.subarray(0, cut), stream.subarray(cut)]), whole);
      }),
      TRIES,
    );
  });

  describe('what it had taken for replies before', () => {
    for (const text of [
      '$-2\r\n',
      '*-7\r\n',
      '$3\r\nabc\rx',
      '+OK\rx',
      '$99999999999\r\n',
      '*1\r\n'.repeat(10_000),
    ]) {
      it(JSON.stringify(text.slice(0, 20)), () => assert.notEqual(readAll([Buffer.from(text)]).error, null));
    }
  });
});
