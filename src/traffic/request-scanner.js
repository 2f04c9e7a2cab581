import { createArguments, fill } from './arguments.js';
import { MOST_BYTES } from './format.js';
import { createNumberReader, Unparsable } from './scan-number.js';

/** @import { Arguments } from './arguments.js' */

const [STAR, DOLLAR, CR, LF] = Buffer.from('*$\r\n');
/** The limits of Redis. */
const MOST_WORDS = 1024 * 1024;
const LONGEST_INLINE_BYTES = 64 * 1024;
const [START, COUNT, BULK, LENGTH, PAYLOAD, ENDING, INLINE] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Parses commands chunk by chunk. It keeps no values, only the beginnings of words that span chunks.
 * @param {(args: Arguments) => void} onCommand gets each; the object is reused for the next
 */
export function createRequestScanner(onCommand) {
  const args = createArguments();
  const number = createNumberReader();
  let state = START;
  let missingWords = 0;
  let missingBytes = 0;
  /** @type {Buffer[]} of an inline command that spans chunks */
  let inline = [];

  /** @type {Record<number, (bytes: Buffer, at: number) => number>} each returns the next position */
  const steps = {
    [START](bytes, at) {
      number.begin();
      state = bytes[at] === STAR ? COUNT : INLINE;
      return state === COUNT ? at + 1 : at;
    },

    [COUNT](bytes, at) {
      const next = number.read(bytes, at);
      if (next === -1) return bytes.length;
      missingWords = number.value();
      if (missingWords > MOST_WORDS) throw new Unparsable();
      args.clear();
      state = missingWords > 0 ? BULK : START;
      return next;
    },

    [BULK](bytes, at) {
      if (bytes[at] !== DOLLAR) throw new Unparsable();
      number.begin();
      state = LENGTH;
      return at + 1;
    },

    [LENGTH](bytes, at) {
      const next = number.read(bytes, at);
      if (next === -1) return bytes.length;
      const length = number.value();
      if (length < 0 || length > MOST_BYTES) throw new Unparsable();
      args.begin(length, next);
      missingBytes = length > 0 ? length : 2;
      state = length > 0 ? PAYLOAD : ENDING;
      return next;
    },

    [PAYLOAD](bytes, at) {
      const next = Math.min(at + missingBytes, bytes.length);
      args.proceed(at, next);
      missingBytes -= next - at;
      if (missingBytes > 0) return next;
      missingBytes = 2;
      state = ENDING;
      return next;
    },

    [ENDING](bytes, at) {
      if (bytes[at] !== (missingBytes === 2 ? CR : LF)) throw new Unparsable();
      if (--missingBytes > 0) return at + 1;
      missingWords--;
      state = missingWords > 0 ? BULK : START;
      if (missingWords === 0) {
        onCommand(args);
        args.clear();
      }
      return at + 1;
    },

    [INLINE](bytes, at) {
      const feed = bytes.indexOf(LF, at);
      // A copy: the chunk is reused.
      inline.push(Buffer.from(bytes.subarray(at, feed === -1 ? bytes.length : feed)));
      const line = feed === -1 && inline.length === 1 ? inline[0] : Buffer.concat(inline);
      if (line.length > LONGEST_INLINE_BYTES) throw new Unparsable();
      inline = [line];
      if (feed === -1) return bytes.length;
      inline = [];
      state = START;
      const words = inlineWords(line.toString('latin1'));
      // An empty line has no reply.
      if (words.length > 0) {
        fill(
          args,
          words.map((word) => Buffer.from(word, 'latin1')),
        );
        onCommand(args);
      }
      args.clear();
      args.enter(bytes);
      return feed + 1;
    },
  };

  /** @param {Buffer} bytes @throws {Unparsable} */
  return function scan(bytes) {
    args.enter(bytes);
    for (let at = 0; at < bytes.length; ) at = steps[state](bytes, at);
    args.leave();
  };
}

/** @param {string} line @returns {string[]} its words, without quotes, with escapes */
const inlineWords = (line) =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\'|[^'])*)'|[^\s"']\S*/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
