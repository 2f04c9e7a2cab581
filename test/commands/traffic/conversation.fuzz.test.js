import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createConversation } from '../../../src/commands/traffic/conversation.js';
import { profileLineError } from '../../../src/commands/traffic/read-profile.js';
import { encodeCommand } from '../../../src/relay/resp.js';
import { anyText } from '../../helpers/poison.js';
import { recordingInMemory } from '../../helpers/recording-in-memory.js';

/** @param {Buffer} bytes @param {number[]} lengths of chunks, again and again */
function* chunksOf(bytes, lengths) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const next = at + lengths[turn % lengths.length];
    yield Buffer.from(bytes.subarray(at, next));
    at = next;
  }
}

/** @param {Buffer} sent @param {Buffer} received @param {number[]} lengths @returns {any[]} the lines */
function converse(sent, received, lengths) {
  const { recording, lines } = recordingInMemory();
  const conversation = createConversation(1, recording);
  for (const chunk of chunksOf(sent, lengths)) conversation.fromService(chunk);
  for (const chunk of chunksOf(received, lengths)) conversation.fromServer(chunk);
  conversation.close();
  return lines();
}

const COMMANDS = [
  ['SET', 'key', 'x'.repeat(3000), 'EX', '60'],
  ['GET', 'y'.repeat(2000)],
  ['MULTI'],
  ['ZADD', 'z', 'NX', '1.5', 'member'],
  ['EXEC'],
  ['SUBSCRIBE', 'a', 'b'],
  ['XREAD', 'COUNT', '5', 'STREAMS', 's', '$'],
  ['EVAL', 'return 1', '1', 'key', 'value'],
  ['RPUSH', 'list', ...Array(200).fill('element')],
  ['HGETALL', 'h'],
  ['PING'],
  ['GET', 'a b'],
];
const SENT = Buffer.concat(COMMANDS.map(encodeCommand));
const RECEIVED = Buffer.from(
  [
    ...['+OK', '$-1', '+OK', '+QUEUED', '*1', ':1'],
    ...['>3', '$9', 'subscribe', '$1', 'a', ':1', '>3', '$7', 'message', '$1', 'a', '$2', 'hi'],
    ...['>3', '$9', 'subscribe', '$1', 'b', ':2', '_', '-SOMETHING else', ':200'],
    ...['%2', '+f', ',1.5', '$1', 'g', '#t', '+PONG', '=15', 'txt:Some string', ''],
  ].join('\r\n'),
);

describe('traffic/conversation', () => {
  const whole = converse(SENT, RECEIVED, [1e6]);

  it('pairs commands with replies', () => {
    assert.deepEqual(
      whole.flatMap((line) => (Array.isArray(line) ? [[line[2], line[4]]] : [])),
      [
        ['SET', ['+', 2]],
        ['GET', ['_', 0]],
        ['MULTI', ['+', 2]],
        ['ZADD', [':', 1]],
        ['EXEC', ['*', 1, 1, 0]],
        ['SUBSCRIBE', ['*', 11, 3, 0]],
        ['XREAD', ['_', 0]],
        ['EVAL', ['-', 'OTHER']],
        ['RPUSH', [':', 3]],
        ['HGETALL', ['%', 6, 2, 0]],
        ['PING', ['+', 4]],
        ['GET', ['=', 15]],
      ],
    );
    const push = whole.find((line) => line[2] === 'RPUSH');
    assert.deepEqual([push[3].length, push[8]], [128, [73, 73 * 7]]);
  });

  it('finds the same in any chunks', () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lengths, (each) => assert.deepEqual(converse(SENT, RECEIVED, each), whole)),
      { numRuns: 40 },
    );
  });

  it('never throws, and writes nothing that is no profile, whatever bytes come', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '*',
        '$',
        '\r\n',
        '-1',
        '*2\r\n',
        '$3\r\nGET\r\n',
        '$1\r\nk\r\n',
        '>3\r\n',
        '%1\r\n',
        '+OK\r\n',
        ':',
      ),
      fc.constantFrom(
        '*1\r\n$5\r\nMULTI\r\n',
        '*1\r\n$4\r\nEXEC\r\n',
        '*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n',
        '$-1\r\n',
      ),
      fc.constantFrom(
        '*4\r\n$4\r\nEVAL\r\n$1\r\nx\r\n$10\r\n9999999999\r\n$1\r\na\r\n',
        '|1\r\n',
        '*-1\r\n',
        '$999999999999\r\n',
      ),
      anyText({ maxLength: 4 }),
    );
    const bytes = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
    fc.assert(
      fc.property(bytes, bytes, fc.integer({ min: 1, max: 50 }), (sent, received, length) => {
        for (const line of converse(sent, received, [length])) {
          assert.equal(profileLineError(line), null, JSON.stringify(line));
        }
      }),
      { numRuns: 400 },
    );
  });
});
