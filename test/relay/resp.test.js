import assert from 'node:assert/strict';
import { createInbox, ErrorReply, encodeCommand, ProtocolError, readReply } from '../../src/relay/resp.js';

const STREAM = Buffer.from(
  '+OK\r\n-ERR no\r\n:42\r\n:-1\r\n$5\r\nhello\r\n$0\r\n\r\n$-1\r\n*-1\r\n*3\r\n:1\r\n$2\r\né\r\n*1\r\n+x\r\n$7\r\na\r\nb\r\nc\r\n',
);
const REPLIES = [
  'OK',
  new ErrorReply('ERR no'),
  42,
  -1,
  'hello',
  '',
  null,
  null,
  [1, 'é', ['x']],
  'a\r\nb\r\nc',
];

/** @param {Buffer[]} chunks */
function readAll(chunks) {
  /** @type {unknown[]} */
  const replies = [];
  const receive = createInbox((bytes, start, end, begun) => {
    const reply = readReply(bytes, start, end, false, begun);
    if (reply.next !== -1) replies.push(reply.value);
    return reply;
  });
  for (const chunk of chunks) {
    // As a socket's buffer does: the bytes are gone once they were handed over.
    const reused = Buffer.from(chunk);
    receive(reused, reused.length);
    reused.fill(0);
  }
  return replies;
}

describe('resp', () => {
  it('reads every kind of reply', () => {
    assert.deepEqual(readAll([STREAM]), REPLIES);
  });

  it('reads the same wherever the stream is cut in two', () => {
    for (let cut = 0; cut <= STREAM.length; cut++) {
      assert.deepEqual(readAll([STREAM.subarray(0, cut), STREAM.subarray(cut)]), REPLIES, `cut at ${cut}`);
    }
  });

  it('reads the same byte by byte, and in pieces of any size', () => {
    for (const size of [1, 2, 3, 5, 7, 11]) {
      const pieces = [];
      for (let at = 0; at < STREAM.length; at += size) pieces.push(STREAM.subarray(at, at + size));
      assert.deepEqual(readAll(pieces), REPLIES, `pieces of ${size}`);
    }
  });

  it('reads a reply that is larger than any chunk', () => {
    const text = 'x'.repeat(1_000_000);
    const bytes = Buffer.from(`$${text.length}\r\n${text}\r\n+OK\r\n`);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 65_536) pieces.push(bytes.subarray(at, at + 65_536));
    assert.deepEqual(readAll(pieces), [text, 'OK']);
  });

  it('refuses what is no RESP', () => {
    for (const text of ['HTTP/1.1 400\r\n', '$x\r\n', ':1.5\r\n', '$3\r\nabcd\r\n']) {
      assert.throws(() => readAll([Buffer.from(text)]), ProtocolError, text);
    }
  });

  it('quotes what is no RESP from its first letter on', () => {
    for (const [text, quoted] of [
      ['HTTP/1.1 400 Bad Request\r\n', 'HTTP/1.1 400 Bad Request'],
      ['SSH-2.0-OpenSSH_9.2p1\r\n', 'SSH-2.0-OpenSSH_9.2p1'],
      [`${'x'.repeat(100)}\r\n`, 'x'.repeat(40)],
    ]) {
      const message = `a reply starts with '${quoted}', which is no RESP type`;
      assert.throws(() => readAll([Buffer.from(text)]), { name: 'ProtocolError', message });
    }
    const message = "expected a number in a reply, got 'x1'";
    assert.throws(() => readAll([Buffer.from(':x1\r\n')]), { name: 'ProtocolError', message });
  });

  it('encodes lengths in bytes', () => {
    assert.equal(encodeCommand(['SET', 'k', 'é€']).toString(), '*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\né€\r\n');
  });
});
