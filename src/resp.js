/**
 * A command as Redis reads it: an array of bulk strings.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#sending-commands-to-a-redis-server
 * @param {readonly (string | Buffer)[]} args @returns {Buffer}
 */
export function encodeCommand(args) {
  /** @type {Buffer[]} what stands before `text` */
  const before = [];
  let text = `*${args.length}\r\n`;
  for (const arg of args) {
    text += `$${Buffer.byteLength(arg)}\r\n`;
    if (typeof arg === 'string') {
      text += `${arg}\r\n`;
    } else {
      before.push(Buffer.from(text), arg);
      text = '\r\n';
    }
  }
  return before.length === 0 ? Buffer.from(text) : Buffer.concat([...before, Buffer.from(text)]);
}

const CR = 0x0d;
const LF = 0x0a;
const [STRING, ERROR, INTEGER, BULK, ARRAY] = Buffer.from('+-:$*');

/** Redis has no longer strings (proto-max-bulk-len), and an array of this many members is longer than that. */
const LONGEST = 512 * 1024 * 1024;
/** No command nests arrays more deeply; a thousand levels would overflow the stack. */
const DEEPEST = 32;

export class ErrorReply extends Error {
  name = 'ErrorReply';
}

/** What arrived is not RESP: the rest of the stream cannot be read. */
export class ProtocolError extends Error {
  name = 'ProtocolError';
}

/**
 * Reads one RESP2 reply. A function without state: it gets all bytes so far and returns either a whole reply
 * or how many bytes it needs at least.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {boolean} [buffers] whether bulk strings are copied and not decoded
 * @param {number} [depth] of arrays around it
 * @returns {Parsed | Incomplete}
 * @throws {ProtocolError}
 *
 * @typedef {{value: unknown, next: number}} Parsed `next` is where the following reply begins
 * @typedef {{value?: undefined, next: -1, needed: number}} Incomplete bytes needed from `start` on, at least
 */
export function readReply(bytes, start, end, buffers = false, depth = 0) {
  const lineEnd = bytes.indexOf(CR, start);
  if (lineEnd === -1 || lineEnd + 2 > end) return incomplete(end - start + 1);
  if (bytes[lineEnd + 1] !== LF) throw new ProtocolError('a line of a reply does not end with CR LF');
  const type = bytes[start];
  const next = lineEnd + 2;
  if (type === STRING) return { value: bytes.toString('utf8', start + 1, lineEnd), next };
  if (type === ERROR) return { value: new ErrorReply(bytes.toString('utf8', start + 1, lineEnd)), next };
  const number = integerOf(bytes, start + 1, lineEnd);
  if (type === INTEGER) return { value: number, next };
  if (type === BULK) return readBulk(bytes, start, next, end, lengthOf(number), buffers);
  if (type === ARRAY) return readArray(bytes, start, next, end, lengthOf(number), buffers, depth);
  throw new ProtocolError(`a reply starts with byte ${type}, which is no RESP type`);
}

/** @param {number} needed @returns {Incomplete} */
const incomplete = (needed) => ({ next: -1, needed });

/**
 * @param {Buffer} bytes @param {number} start @param {number} from @param {number} end @param {number} length
 * @param {boolean} buffers
 */
function readBulk(bytes, start, from, end, length, buffers) {
  if (length === -1) return { value: null, next: from };
  const to = from + length;
  if (to + 2 > end) return incomplete(to + 2 - start);
  if (bytes[to] !== CR || bytes[to + 1] !== LF)
    throw new ProtocolError(`a string of ${length} bytes does not end where it should`);
  const value = buffers ? Buffer.from(bytes.subarray(from, to)) : bytes.toString('utf8', from, to);
  return { value, next: to + 2 };
}

/**
 * @param {Buffer} bytes @param {number} start of the reply @param {number} from of the first member
 * @param {number} end @param {number} length @param {boolean} buffers @param {number} depth
 * @returns {Parsed | Incomplete}
 */
function readArray(bytes, start, from, end, length, buffers, depth) {
  if (length === -1) return { value: null, next: from };
  if (depth === DEEPEST) throw new ProtocolError(`a reply has more than ${DEEPEST} arrays inside each other`);
  const values = [];
  let next = from;
  for (let index = 0; index < length; index++) {
    if (next >= end) return incomplete(end - start + 1);
    const member = readReply(bytes, next, end, buffers, depth + 1);
    if (member.next === -1) return incomplete(next - start + /** @type {Incomplete} */ (member).needed);
    values.push(member.value);
    next = member.next;
  }
  return { value: values, next };
}

/** @param {Buffer} bytes @param {number} from @param {number} to @returns {number} */
function integerOf(bytes, from, to) {
  const text = bytes.toString('latin1', from, to);
  if (!/^[+-]?\d+$/.test(text))
    throw new ProtocolError(`expected a number in a reply, got '${text.slice(0, 40)}'`);
  return Number(text);
}

/** @param {number} number @returns {number} -1 for null */
function lengthOf(number) {
  if (number < -1 || number > LONGEST) throw new ProtocolError(`a reply has a length of ${number}`);
  return number;
}

/**
 * Cuts a stream of bytes into replies. Whole replies are read in place; only an incomplete reply at the end
 * of a chunk is copied, once, and kept until the rest arrives.
 * @param {(bytes: Buffer, start: number, end: number) => {next: number, needed?: number}} readOne reads the
 *   reply at `start`; `next` is where it ends, or -1 with the fewest bytes that it needs
 */
export function createInbox(readOne) {
  let carried = Buffer.alloc(0);
  let length = 0;
  let needed = 0;

  /** @param {Buffer} bytes @param {number} end @returns {number} the start of the first incomplete reply */
  function readAll(bytes, end) {
    let position = 0;
    while (position < end) {
      const { next, needed: missing } = readOne(bytes, position, end);
      if (next === -1) {
        needed = Number(missing);
        break;
      }
      position = next;
    }
    return position;
  }

  /** @param {Buffer} bytes @param {number} start @param {number} end */
  function carry(bytes, start, end) {
    const total = length + end - start;
    const capacity = Math.max(total, needed);
    if (carried.length < capacity) {
      const larger = Buffer.allocUnsafe(Math.max(capacity, carried.length * 2));
      carried.copy(larger, 0, 0, length);
      carried = larger;
    }
    bytes.copy(carried, length, start, end);
    length = total;
  }

  /** @param {Buffer} bytes that will be overwritten by the next chunk @param {number} end how many of them are valid */
  return function receive(bytes, end) {
    if (length === 0) {
      const done = readAll(bytes, end);
      if (done < end) carry(bytes, done, end);
      return;
    }
    carry(bytes, 0, end);
    if (length < needed) return;
    const done = readAll(carried, length);
    carried.copyWithin(0, done, length);
    length -= done;
  };
}
