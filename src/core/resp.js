/**
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#sending-commands-to-a-redis-server
 * @param {readonly (string | Buffer)[]} args @returns {Buffer}
 */
export function encodeCommand(args) {
  /** @type {Buffer[]} the bytes before `text` */
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
const [PLUS, MINUS, ZERO] = Buffer.from('+-0');

/** Redis's own limit for strings (proto-max-bulk-len), and more than any array has. */
const LONGEST = 512 * 1024 * 1024;
/** An error of Redis is shorter, whatever it quotes; a line may never end. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** More than any command nests; a thousand levels would overflow the stack. */
const DEEPEST = 32;

export class ErrorReply extends Error {
  name = 'ErrorReply';
}

/** The bytes are not RESP, so the rest of the stream cannot be read. */
export class ProtocolError extends Error {
  name = 'ProtocolError';
}

/**
 * Reads one RESP2 reply; an incomplete one is read again from `start` when more bytes have arrived.
 * @param {Buffer} bytes @param {number} start @param {number} end
 * @param {boolean} [buffers] whether bulk strings stay buffers
 * @param {Begun} [begun] what was read of it before, so that a large array is not read anew with each chunk
 * @param {number} [depth] of enclosing arrays @returns {Parsed | Incomplete} @throws {ProtocolError}
 * @typedef {{value: unknown, next: number}} Parsed `next`: where the next reply begins
 * @typedef {{value?: undefined, next: -1, needed: number}} Incomplete `needed`: the fewest bytes from `start`
 * @typedef {{values?: unknown[], length?: number}} Begun members of an array, and the bytes from `start` that they take
 */
export function readReply(bytes, start, end, buffers = false, begun, depth = 0) {
  const lineEnd = bytes.indexOf(CR, start);
  if (lineEnd === -1 || lineEnd + 2 > end) {
    if (end - start > LONGEST_LINE)
      throw new ProtocolError(`a line of a reply has more than ${LONGEST_LINE} bytes`);
    return incomplete(end - start + 1);
  }
  if (bytes[lineEnd + 1] !== LF) throw new ProtocolError('a line of a reply does not end with CR LF');
  const type = bytes[start];
  const from = lineEnd + 2;
  if (type === STRING) return { value: bytes.toString('utf8', start + 1, lineEnd), next: from };
  if (type === ERROR)
    return { value: new ErrorReply(bytes.toString('utf8', start + 1, lineEnd)), next: from };
  if (type !== INTEGER && type !== BULK && type !== ARRAY)
    throw new ProtocolError(`a reply starts with '${excerpt(bytes, start, lineEnd)}', which is no RESP type`);
  const number = integerOf(bytes, start + 1, lineEnd);
  if (type === INTEGER) return { value: number, next: from };
  if (number < -1 || number > LONGEST) throw new ProtocolError(`a reply has a length of ${number}`);
  if (number === -1) return { value: null, next: from };
  if (type === ARRAY) return readArray(bytes, start, from, end, number, buffers, begun, depth);
  const to = from + number;
  if (to + 2 > end) return incomplete(to + 2 - start);
  if (bytes[to] !== CR || bytes[to + 1] !== LF)
    throw new ProtocolError(`a string of ${number} bytes does not end where it should`);
  return {
    value: buffers ? Buffer.from(bytes.subarray(from, to)) : bytes.toString('utf8', from, to),
    next: to + 2,
  };
}

/** @param {number} needed @returns {Incomplete} */
const incomplete = (needed) => ({ next: -1, needed });

/**
 * @param {Buffer} bytes @param {number} start of the reply @param {number} from of its first member @param {number} end
 * @param {number} length @param {boolean} buffers @param {Begun | undefined} begun @param {number} depth
 * @returns {Parsed | Incomplete}
 */
function readArray(bytes, start, from, end, length, buffers, begun, depth) {
  if (depth === DEEPEST) throw new ProtocolError(`a reply has more than ${DEEPEST} arrays inside each other`);
  const values = begun?.values ?? [];
  let next = begun?.length === undefined ? from : start + begun.length;
  while (values.length < length) {
    const member = next < end ? readReply(bytes, next, end, buffers, undefined, depth + 1) : incomplete(1);
    if (member.next === -1) {
      if (begun !== undefined) Object.assign(begun, { values, length: next - start });
      return incomplete(next - start + /** @type {Incomplete} */ (member).needed);
    }
    values.push(member.value);
    next = member.next;
  }
  return { value: values, next };
}

/** @param {Buffer} bytes @param {number} from @param {number} to */
const excerpt = (bytes, from, to) => bytes.toString('latin1', from, Math.min(to, from + 40));

/** @param {Buffer} bytes @param {number} from @param {number} to @returns {number} */
function integerOf(bytes, from, to) {
  const isSigned = bytes[from] === MINUS || bytes[from] === PLUS;
  let value = 0;
  for (let at = isSigned ? from + 1 : from; at < to; at++) value = value * 10 + digitAt(bytes, at);
  if (to - from < (isSigned ? 2 : 1) || Number.isNaN(value))
    throw new ProtocolError(`expected a number in a reply, got '${excerpt(bytes, from, to)}'`);
  return bytes[from] === MINUS ? -value : value;
}

/** @param {Buffer} bytes @param {number} at */
function digitAt(bytes, at) {
  const digit = bytes[at] - ZERO;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}

/**
 * Splits a stream into replies. Only an incomplete reply at the end of a chunk is copied, once.
 * @param {(bytes: Buffer, start: number, end: number, begun: Begun) => {next: number, needed?: number}} readOne see
 *   `readReply`
 */
export function createInbox(readOne) {
  let carried = Buffer.alloc(0);
  let length = 0;
  let needed = 0;
  /** @type {Begun} */
  let begun = {};

  /** @param {Buffer} bytes @param {number} end @returns {number} the start of the first incomplete reply */
  function readAll(bytes, end) {
    let position = 0;
    while (position < end) {
      const { next, needed: missing } = readOne(bytes, position, end, begun);
      if (next === -1) {
        needed = Number(missing);
        break;
      }
      if (begun.values !== undefined) begun = {};
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

  /** @param {Buffer} bytes reused by the caller for the next chunk @param {number} end of the valid bytes */
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
