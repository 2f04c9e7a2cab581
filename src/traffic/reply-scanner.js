import { MOST_BYTES } from './format.js';
import { createNumberReader, Unparsable } from './scan-number.js';

/** No reply nests more deeply, not even of scripts. */
const DEEPEST = 128;
const LONGEST_WORD = 20;
const [CR, LF, SPACE] = Buffer.from('\r\n ');
const [ERROR, INTEGER, BULK, ARRAY, SET, PUSH, NULL, MAP, ATTRIBUTE, BULK_ERROR] = Buffer.from('-:$*~>_%|!');
const LINES = new Set(Buffer.from('+-:,#(_'));
const STRINGS = new Set(Buffer.from('$=!'));
const AGGREGATES = new Set(Buffer.from('*~>%|'));
const [START, LINE, LENGTH, PAYLOAD, ENDING] = [0, 1, 2, 3, 4];

/** Of a reply, or of a member of one. */
const createShape = () => ({
  type: 0,
  bytes: 0,
  members: 0,
  nulls: 0,
  /** The first word of an error; or, in a push or where words are needed, of the first member. */
  word: '',
  integer: 0,
});

/** @typedef {ReturnType<typeof createShape>} Scanned */

/**
 * Parses replies of RESP2 and RESP3 chunk by chunk. It keeps only the first words of errors and pushes.
 * @param {object} told
 * @param {(reply: Scanned) => void} told.onReply gets each; the object is reused for the next
 * @param {(member: Scanned) => void} told.onMember gets each member, before its reply
 * @param {() => boolean} told.needsWords whether the word of the first member is needed
 */
export function createReplyScanner({ onReply, onMember, needsWords }) {
  const number = createNumberReader();
  const top = createShape();
  const member = createShape();
  /** Missing elements at each level. */
  const missing = new Float64Array(DEEPEST + 1);
  const isAttribute = new Uint8Array(DEEPEST + 1);
  let depth = 0;
  let state = START;
  let type = 0;
  let bytesLeft = 0;
  let lineBytes = 0;
  let isFirst = false;
  let wordsNeeded = false;
  /** @type {Scanned | null} whose word is being read */
  let worded = null;

  /** @param {Scanned} shape */
  function reset(shape) {
    shape.type = type;
    shape.bytes = 0;
    shape.members = 0;
    shape.nulls = 0;
    shape.word = '';
  }

  function beginElement() {
    if (depth === 0) {
      reset(top);
      isFirst = true;
      wordsNeeded = type === PUSH || needsWords();
    } else if (depth === 1) {
      reset(member);
    }
    worded = null;
    if (depth > 1) return;
    if (type === ERROR || type === BULK_ERROR) worded = depth === 0 ? top : member;
    else if (depth === 1 && isFirst && wordsNeeded) worded = top;
    if (depth === 1) isFirst = false;
  }

  /** @param {number} bytes @param {boolean} isNull */
  function endElement(bytes, isNull) {
    const shape = depth === 0 ? top : member;
    if (depth <= 1) {
      if (isNull) shape.type = NULL;
      shape.bytes = bytes;
    } else member.bytes += bytes;
    if (depth === 1 && isNull) top.nulls++;
    if (depth === 2 && isNull) member.nulls++;
    if (depth > 0) top.bytes += bytes;
    closeLevels();
  }

  function closeLevels() {
    let ended = true;
    while (ended) {
      if (depth === 0) {
        onReply(top);
        return;
      }
      if (depth === 1) onMember(member);
      ended = --missing[depth] === 0;
      if (!ended) return;
      depth--;
      // The reply that an attribute describes follows.
      if (isAttribute[depth + 1] === 1) return;
    }
  }

  /** @param {number} count */
  function beginAggregate(count) {
    if (count < 0) {
      endElement(0, true);
      return;
    }
    if (depth <= 1) (depth === 0 ? top : member).members = count;
    if (count === 0) {
      if (type !== ATTRIBUTE) closeLevels();
      return;
    }
    if (depth === DEEPEST) throw new Unparsable();
    depth++;
    missing[depth] = type === MAP || type === ATTRIBUTE ? 2 * count : count;
    isAttribute[depth] = type === ATTRIBUTE ? 1 : 0;
  }

  /** @param {Buffer} bytes @param {number} from @param {number} to */
  function readWord(bytes, from, to) {
    for (let at = from; worded !== null && at < to; at++) {
      if (bytes[at] === SPACE || worded.word.length === LONGEST_WORD) worded = null;
      else worded.word += String.fromCharCode(bytes[at]);
    }
  }

  /** @type {Record<number, (bytes: Buffer, at: number) => number>} each returns the next position */
  const steps = {
    [START](bytes, at) {
      type = bytes[at];
      beginElement();
      if (LINES.has(type)) {
        state = LINE;
        lineBytes = 0;
        top.integer = type === INTEGER ? 0 : top.integer;
      } else if (STRINGS.has(type) || AGGREGATES.has(type)) {
        state = LENGTH;
        number.begin();
      } else throw new Unparsable();
      return at + 1;
    },

    [LINE](bytes, from) {
      let at = from;
      while (at < bytes.length && bytes[at] !== CR) at++;
      if (worded !== null) readWord(bytes, from, at);
      if (type === INTEGER) readInteger(bytes, from, at);
      lineBytes += at - from;
      if (lineBytes > MOST_BYTES) throw new Unparsable();
      if (at === bytes.length) return at;
      state = ENDING;
      bytesLeft = 1;
      return at + 1;
    },

    [LENGTH](bytes, at) {
      const next = number.read(bytes, at);
      if (next === -1) return bytes.length;
      const length = number.value();
      if (length > MOST_BYTES) throw new Unparsable();
      state = START;
      if (AGGREGATES.has(type)) beginAggregate(length);
      else if (length < 0) endElement(0, true);
      else {
        lineBytes = length;
        bytesLeft = length > 0 ? length : 2;
        state = length > 0 ? PAYLOAD : ENDING;
      }
      return next;
    },

    [PAYLOAD](bytes, at) {
      const next = Math.min(at + bytesLeft, bytes.length);
      if (worded !== null) readWord(bytes, at, next);
      bytesLeft -= next - at;
      if (bytesLeft === 0) {
        state = ENDING;
        bytesLeft = 2;
      }
      return next;
    },

    [ENDING](bytes, at) {
      if (bytes[at] !== (bytesLeft === 2 ? CR : LF)) throw new Unparsable();
      if (--bytesLeft > 0) return at + 1;
      state = START;
      endElement(lineBytes, type === NULL);
      return at + 1;
    },
  };

  /** @param {Buffer} bytes @param {number} from @param {number} to */
  function readInteger(bytes, from, to) {
    for (let at = from; at < to; at++) {
      const digit = bytes[at] - 0x30;
      if (digit >= 0 && digit <= 9) top.integer = top.integer * 10 + digit;
    }
  }

  /** @param {Buffer} bytes @throws {Unparsable} */
  return function scan(bytes) {
    for (let at = 0; at < bytes.length; ) at = steps[state](bytes, at);
  };
}

export const IS_AGGREGATE = new Set([ARRAY, SET, MAP]);
export { ARRAY, BULK, BULK_ERROR, ERROR, PUSH };
