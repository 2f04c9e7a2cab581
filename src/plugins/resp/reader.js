const CR = 0x0d;
const LF = 0x0a;
const [STRING, ERROR, INTEGER, BULK, ARRAY] = Buffer.from('+-:$*');

/**
 * Redis has no longer strings (proto-max-bulk-len), and an array of this many members is longer than that.
 */
const LONGEST = 512 * 1024 * 1024;
/** No command nests arrays more deeply; a thousand levels would overflow the stack. */
const DEEPEST = 32;

/** An error reply of the server. */
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
 * @param {number} [depth] of arrays around it
 * @returns {Parsed | Incomplete}
 * @throws {ProtocolError}
 *
 * @typedef {{value: unknown, next: number}} Parsed `next` is where the following reply begins
 * @typedef {{value?: undefined, next: -1, needed: number}} Incomplete bytes needed from `start` on, at least
 */
export function readReply(bytes, start, end, depth = 0) {
  const lineEnd = bytes.indexOf(CR, start);
  if (lineEnd === -1 || lineEnd + 2 > end) return incomplete(end - start + 1);
  if (bytes[lineEnd + 1] !== LF) throw new ProtocolError('a line of a reply does not end with CR LF');
  const type = bytes[start];
  const next = lineEnd + 2;
  if (type === STRING) return { value: bytes.toString('utf8', start + 1, lineEnd), next };
  if (type === ERROR) return { value: new ErrorReply(bytes.toString('utf8', start + 1, lineEnd)), next };
  const number = integerOf(bytes, start + 1, lineEnd);
  if (type === INTEGER) return { value: number, next };
  if (type === BULK) return readBulk(bytes, start, next, end, lengthOf(number));
  if (type === ARRAY) return readArray(bytes, start, next, end, lengthOf(number), depth);
  throw new ProtocolError(`a reply starts with byte ${type}, which is no RESP type`);
}

/** @param {number} needed @returns {Incomplete} */
const incomplete = (needed) => ({ next: -1, needed });

/**
 * @param {Buffer} bytes
 * @param {number} start of the reply
 * @param {number} from of the string
 * @param {number} end
 * @param {number} length
 */
function readBulk(bytes, start, from, end, length) {
  if (length === -1) return { value: null, next: from };
  const to = from + length;
  if (to + 2 > end) return incomplete(to + 2 - start);
  if (bytes[to] !== CR || bytes[to + 1] !== LF)
    throw new ProtocolError(`a string of ${length} bytes does not end where it should`);
  return { value: bytes.toString('utf8', from, to), next: to + 2 };
}

/**
 * @param {Buffer} bytes
 * @param {number} start of the reply
 * @param {number} from of the first member
 * @param {number} end
 * @param {number} length
 * @param {number} depth
 * @returns {Parsed | Incomplete}
 */
function readArray(bytes, start, from, end, length, depth) {
  if (length === -1) return { value: null, next: from };
  if (depth === DEEPEST) throw new ProtocolError(`a reply has more than ${DEEPEST} arrays inside each other`);
  const values = [];
  let next = from;
  for (let index = 0; index < length; index++) {
    if (next >= end) return incomplete(end - start + 1);
    const member = readReply(bytes, next, end, depth + 1);
    if (member.next === -1) return incomplete(next - start + /** @type {Incomplete} */ (member).needed);
    values.push(member.value);
    next = member.next;
  }
  return { value: values, next };
}

/**
 * @param {Buffer} bytes
 * @param {number} from
 * @param {number} to
 * @returns {number}
 * @throws {ProtocolError} when it is not an integer
 */
function integerOf(bytes, from, to) {
  const text = bytes.toString('latin1', from, to);
  if (!/^[+-]?\d+$/.test(text))
    throw new ProtocolError(`expected a number in a reply, got '${text.slice(0, 40)}'`);
  return Number(text);
}

/**
 * @param {number} number
 * @returns {number} -1 for null
 * @throws {ProtocolError} when it is longer than anything can be
 */
function lengthOf(number) {
  if (number < -1 || number > LONGEST) throw new ProtocolError(`a reply has a length of ${number}`);
  return number;
}
