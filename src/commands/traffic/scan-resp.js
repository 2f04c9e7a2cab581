import { MOST_ARGUMENTS, MOST_BYTES, OTHER } from './format.js';

/** Not RESP: the rest of the connection cannot be parsed. */
export class Unparsable extends Error {
  name = 'Unparsable';
}

/** No reply nests more deeply, not even of scripts. */
const DEEPEST = 128;
const [CR, LF, SPACE] = Buffer.from('\r\n ');
const [ERROR, INTEGER, BULK, ARRAY, SET, PUSH, NULL, MAP, BULK_ERROR] = Buffer.from('-:$*~>_%!');
const [LINES, STRINGS, AGGREGATES] = ['+-:,#(_', '$=!', '*~>%'].map((types) => new Set(Buffer.from(types)));
const IS_AGGREGATE = new Set([ARRAY, SET, MAP]);
/** A length, as no longer one is in RESP. */
const LENGTH = /^[-+]?\d{1,15}$/;
const MOST_DIGITS = 16;
const [START, LINE, PAYLOAD, ENDING] = [0, 1, 2, 3];

/**
 * @typedef {object} Reader what is told of the elements of a stream; `depth` 0: of the whole
 * @property {(type: number, depth: number) => void} begin
 * @property {(count: number, depth: number) => void} members how many an aggregate has, or pairs of a map
 * @property {(length: number, offset: number) => void} [string] before its bytes
 * @property {(bytes: Buffer, from: number, to: number) => void} content of a line or a string, in parts
 * @property {(bytes: number, isNull: boolean, depth: number) => void} end of what has no members
 * @property {(depth: number) => void} whole of each, after its members
 */

/**
 * Parses RESP2 and RESP3, but attributes, which no command sends by itself, chunk by chunk, and keeps nothing.
 * @param {Reader} reader @returns {(chunk: Buffer) => void} throws Unparsable
 */
function createScanner(reader) {
  const missing = new Float64Array(DEEPEST + 1);
  let depth = 0;
  let state = START;
  let type = 0;
  let length = 0;
  let bytesLeft = 0;
  let digits = '';
  let hasLength = false;

  /** @param {number} bytes @param {boolean} isNull */
  function end(bytes, isNull) {
    reader.end(bytes, isNull, depth);
    closeLevels();
  }

  function closeLevels() {
    for (;;) {
      reader.whole(depth);
      if (depth === 0 || --missing[depth] > 0) return;
      depth--;
    }
  }

  /** @param {number} count */
  function beginAggregate(count) {
    if (count < 0) return end(0, true);
    reader.members(count, depth);
    if (count === 0) return closeLevels();
    if (depth === DEEPEST) throw new Unparsable();
    depth++;
    missing[depth] = type === MAP ? 2 * count : count;
  }

  /** @param {number} offset of what follows it */
  function takeLength(offset) {
    if (!LENGTH.test(digits) || Number(digits) > MOST_BYTES) throw new Unparsable();
    length = Number(digits);
    if (AGGREGATES.has(type)) beginAggregate(length);
    else if (length < 0) end(0, true);
    else {
      reader.string?.(length, offset);
      bytesLeft = length;
      state = PAYLOAD;
    }
  }

  /** @type {Record<number, (bytes: Buffer, at: number) => number>} each returns the next position */
  const steps = {
    [START](bytes, at) {
      type = bytes[at];
      hasLength = !LINES.has(type);
      if (hasLength && !STRINGS.has(type) && !AGGREGATES.has(type)) throw new Unparsable();
      reader.begin(type, depth);
      state = LINE;
      length = 0;
      digits = '';
      return at + 1;
    },

    [LINE](bytes, from) {
      const found = bytes.indexOf(CR, from);
      const to = found === -1 ? bytes.length : found;
      length += to - from;
      if (length > (hasLength ? MOST_DIGITS : MOST_BYTES)) throw new Unparsable();
      if (hasLength) digits += bytes.toString('latin1', from, to);
      else reader.content(bytes, from, to);
      if (found === -1) return to;
      state = ENDING;
      bytesLeft = 1;
      return to + 1;
    },

    [PAYLOAD](bytes, from) {
      const to = Math.min(from + bytesLeft, bytes.length);
      reader.content(bytes, from, to);
      bytesLeft -= to - from;
      if (bytesLeft > 0) return to;
      state = ENDING;
      bytesLeft = 2;
      hasLength = false;
      return to;
    },

    [ENDING](bytes, at) {
      if (bytes[at] !== (bytesLeft === 2 ? CR : LF)) throw new Unparsable();
      if (--bytesLeft > 0) return at + 1;
      state = START;
      if (hasLength) takeLength(at + 1);
      else end(length, type === NULL);
      return at + 1;
    },
  };

  return (chunk) => {
    for (let at = 0; at < chunk.length; ) at = steps[state](chunk, at);
  };
}

const MOST_WORDS = 1024 * 1024;

/**
 * Parses commands. It keeps no values, only the beginnings of words that span chunks.
 * @param {(args: Arguments) => void} onCommand gets each; the object is reused for the next
 * @returns {(chunk: Buffer) => void} throws Unparsable
 */
export function createRequestScanner(onCommand) {
  const args = createArguments();
  const scan = createScanner({
    begin(type, depth) {
      if (type !== (depth === 0 ? ARRAY : BULK)) throw new Unparsable();
    },
    members(count) {
      if (count > MOST_WORDS) throw new Unparsable();
    },
    string: args.begin,
    content: (_, from, to) => args.proceed(from, to),
    end(_, isNull, depth) {
      if (isNull && depth > 0) throw new Unparsable();
    },
    whole(depth) {
      if (depth > 0 || args.count === 0) return;
      onCommand(args);
      args.clear();
    },
  });
  return (chunk) => {
    args.enter(chunk);
    scan(chunk);
    args.leave();
  };
}

const LONGEST_WORD = 20;

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
 * Parses replies. It keeps only the first words of errors and pushes.
 * @param {object} told
 * @param {(reply: Scanned) => void} told.onReply gets each; the object is reused for the next
 * @param {(member: Scanned) => void} told.onMember gets each member, before its reply
 * @param {() => boolean} told.needsWords whether the word of the first member is needed
 */
export function createReplyScanner({ onReply, onMember, needsWords }) {
  const top = createShape();
  const member = createShape();
  let isInteger = false;
  let wordsNeeded = false;
  let isFirst = false;
  /** @type {Scanned | null} whose word is being read */
  let worded = null;

  return createScanner({
    begin(type, depth) {
      worded = null;
      isInteger = type === INTEGER;
      if (isInteger) top.integer = 0;
      if (depth > 1) return;
      const shape = depth === 0 ? top : member;
      Object.assign(shape, { type, bytes: 0, members: 0, nulls: 0, word: '' });
      if (depth === 0) wordsNeeded = type === PUSH || needsWords();
      if (type === ERROR || type === BULK_ERROR) worded = shape;
      else if (depth === 1 && isFirst && wordsNeeded) worded = top;
      isFirst = depth === 0;
    },

    members(count, depth) {
      if (depth <= 1) (depth === 0 ? top : member).members = count;
    },

    content(bytes, from, to) {
      for (let at = from; worded !== null && at < to; at++) {
        if (bytes[at] === SPACE || worded.word.length === LONGEST_WORD) worded = null;
        else worded.word += String.fromCharCode(bytes[at]);
      }
      for (let at = from; isInteger && at < to; at++) {
        const digit = bytes[at] - 0x30;
        if (digit >= 0 && digit <= 9) top.integer = top.integer * 10 + digit;
      }
    },

    end(bytes, isNull, depth) {
      if (depth > 0) member.bytes += bytes;
      top.bytes += bytes;
      if (!isNull) return;
      if (depth === 0) top.type = NULL;
      if (depth === 1) member.type = NULL;
      if (depth === 1) top.nulls++;
      if (depth === 2) member.nulls++;
    },

    whole(depth) {
      if (depth === 0) onReply(top);
      if (depth === 1) onMember(member);
    },
  });
}

/** The first words of Redis's own errors; those of scripts may be anything. */
const ERROR_WORDS = new Set(
  `ASK BUSY BUSYGROUP BUSYKEY CLUSTERDOWN CROSSSLOT DENIED ERR EXECABORT FAILOVER INPROG IOERR INVALIDOBJ LOADING
  MASTERDOWN MISCONF MOVED NOADDR NOAUTH NOGOODSLAVE NOGROUP NOMASTERLINK NOPERM NOPROTO NOREPLICAS NOSCRIPT
  NOTBUSY NOTREADY OOM READONLY STALE TRYAGAIN UNBLOCKED UNKILLABLE WRONGPASS WRONGTYPE`.split(/\s+/),
);

/** @param {Scanned} reply @returns {string} a ReplyShape in JSON */
export function shapeReply({ type, bytes, members, nulls, word }) {
  if (type === ERROR || type === BULK_ERROR) return `["-","${ERROR_WORDS.has(word) ? word : OTHER}"]`;
  // A subscription is confirmed by a push in RESP3 and an array in RESP2.
  const name = type === PUSH ? '*' : String.fromCharCode(type);
  const counts = type === PUSH || IS_AGGREGATE.has(type) ? `,${members},${nulls}` : '';
  return `["${name}",${bytes}${counts}]`;
}

export { ARRAY, PUSH };

/** Kept of an argument that spans chunks. Keys with the same head and the same length count as one. */
export const HEAD_BYTES = 1024;
const NOTHING = Buffer.alloc(0);

/** Where the words of a command lie in the current chunk, its name first. Only what is in an earlier chunk is copied. */
export function createArguments() {
  const lengths = new Int32Array(MOST_ARGUMENTS + 1);
  const offsets = new Int32Array(MOST_ARGUMENTS + 1);
  /** @type {Buffer} */
  let chunk = NOTHING;
  /** @type {Buffer} */
  let scratch = NOTHING;
  let scratchEnd = 0;
  let kept = 0;
  const self = {
    count: 0,
    restBytes: 0,
    lengths,
    offsets,

    clear() {
      self.count = 0;
      self.restBytes = 0;
      kept = 0;
      scratchEnd = 0;
    },

    /** @param {Buffer} bytes the next chunk */
    enter(bytes) {
      chunk = bytes;
    },

    /** @param {number} length @param {number} offset in the chunk */
    begin(length, offset) {
      if (self.count <= MOST_ARGUMENTS) {
        lengths[self.count] = length;
        offsets[self.count] = offset;
      } else self.restBytes += length;
      self.count++;
    },

    /** Adds to a word that began in an earlier chunk. @param {number} from @param {number} to */
    proceed(from, to) {
      if (self.count !== kept) return;
      const missing = offsets[kept - 1] + Math.min(lengths[kept - 1], HEAD_BYTES) - scratchEnd;
      if (missing > 0) copy(from, Math.min(to, from + missing));
    },

    /** Keeps what is needed of the chunk. */
    leave() {
      for (; kept < Math.min(self.count, MOST_ARGUMENTS + 1); kept++) {
        const offset = offsets[kept];
        offsets[kept] = scratchEnd;
        copy(offset, Math.min(offset + Math.min(lengths[kept], HEAD_BYTES), chunk.length));
      }
      chunk = NOTHING;
    },

    /** @param {number} index @returns {Buffer} has its first HEAD_BYTES at its offset */
    source: (index) => (index < kept ? scratch : chunk),

    /** @param {number} index @returns {string} its first HEAD_BYTES */
    text(index) {
      const end = offsets[index] + Math.min(lengths[index], HEAD_BYTES);
      return self.source(index).toString('latin1', offsets[index], end);
    },
  };

  /** @param {number} from @param {number} to in the chunk */
  function copy(from, to) {
    const needed = scratchEnd + to - from;
    if (needed > scratch.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, scratch.length * 2, HEAD_BYTES));
      scratch.copy(larger, 0, 0, scratchEnd);
      scratch = larger;
    }
    scratchEnd += chunk.copy(scratch, scratchEnd, from, to);
  }
  return self;
}

/** @typedef {ReturnType<typeof createArguments>} Arguments */
