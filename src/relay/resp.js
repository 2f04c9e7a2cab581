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
const [PLUS, MINUS, ZERO, NINE] = Buffer.from('+-09');

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
 * Reads one RESP2 reply; an incomplete one is read again from `start` when more bytes have arrived, an array from its next
 * member.
 * @param {Buffer} bytes @param {number} start @param {number} end
 * @param {boolean} [buffers] whether bulk strings stay buffers
 * @param {Begun} [begun] of the same stream: an array of which earlier bytes had the beginning
 * @param {number} [depth] of enclosing arrays @returns {Parsed | Incomplete} @throws {ProtocolError}
 * @typedef {{value: unknown, next: number, needed?: undefined}} Parsed `next`: where the next reply begins
 * @typedef {{value?: undefined, next: -1, needed: number, from?: number}} Incomplete `from`: where to read on, if not from
 *   `start`; `needed`: the fewest bytes from there
 * @typedef {{values?: unknown[], length?: number, copy?: {from: number, bytes: Buffer}}} Begun members of an array so far and
 *   how many it has; `copy`: of these bytes, which all its buffers share
 */
export function readReply(bytes, start, end, buffers = false, begun, depth = 0) {
  if (begun?.values !== undefined)
    return readArray(bytes, start, start, end, Number(begun.length), buffers, begun, depth);
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
 * @param {Buffer} bytes @param {number} start of the reply @param {number} from of its next member @param {number} end
 * @param {number} length @param {boolean} buffers @param {Begun | undefined} begun @param {number} depth
 * @returns {Parsed | Incomplete}
 */
function readArray(bytes, start, from, end, length, buffers, begun, depth) {
  if (depth === DEEPEST) throw new ProtocolError(`a reply has more than ${DEEPEST} arrays inside each other`);
  const values = begun?.values ?? [];
  let next = from;
  while (values.length < length) {
    const text = textStart(bytes, next, end);
    const textEnd = text + numberIn(bytes, next + 1, text - 2);
    if (text > 0 && textEnd + 2 <= end && bytes[textEnd] === CR && bytes[textEnd + 1] === LF) {
      values.push(buffers ? copyOf(bytes, text, textEnd, end, begun) : bytes.toString('utf8', text, textEnd));
      next = textEnd + 2;
      continue;
    }
    const member = next < end ? readReply(bytes, next, end, buffers, undefined, depth + 1) : incomplete(1);
    if (member.next === -1) {
      const { needed = 0 } = member;
      if (begun === undefined) return incomplete(next - start + needed);
      Object.assign(begun, { values, length });
      return { next: -1, needed, from: next };
    }
    values.push(member.value);
    next = member.next;
  }
  return { value: values, next };
}

/**
 * Nearly all members of large arrays are whole strings, which need no call for each line.
 * @param {Buffer} bytes @param {number} at a member @param {number} end
 * @returns {number} where the text of a string begins; 0 for what is none, or not whole
 */
function textStart(bytes, at, end) {
  if (bytes[at] !== BULK) return 0;
  let digit = at + 1;
  while (bytes[digit] >= ZERO && bytes[digit] <= NINE) digit++;
  const isWhole = digit > at + 1 && digit + 2 <= end && bytes[digit] === CR && bytes[digit + 1] === LF;
  return isWhole ? digit + 2 : 0;
}

/** @param {Buffer} bytes @param {number} from @param {number} to only digits stand there */
function numberIn(bytes, from, to) {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + bytes[at] - ZERO;
  return value;
}

/** @param {Buffer} bytes @param {number} from @param {number} to @param {number} end @param {Begun} [begun] */
function copyOf(bytes, from, to, end, begun) {
  if (begun === undefined) return Buffer.from(bytes.subarray(from, to));
  begun.copy ??= { from, bytes: Buffer.from(bytes.subarray(from, end)) };
  return begun.copy.bytes.subarray(from - begun.copy.from, to - begun.copy.from);
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
 * Splits a stream into replies. Only an incomplete reply at the end of a chunk is copied, once; of an array, an incomplete
 * member.
 * @param {(bytes: Buffer, start: number, end: number, begun: Begun) => {next: number, needed?: number, from?: number}} readOne
 *   see `readReply`
 */
export function createInbox(readOne) {
  let carried = Buffer.alloc(0);
  let length = 0;
  let needed = 0;
  /** @type {Begun} */
  let begun = {};

  /** @param {Buffer} bytes @param {number} start @param {number} end @returns {number} what lies before was read */
  function readAll(bytes, start, end) {
    begun.copy = undefined;
    let position = start;
    while (position < end) {
      const { next, needed: missing, from = position } = readOne(bytes, position, end, begun);
      if (next === -1) {
        needed = Number(missing);
        return from;
      }
      if (begun.values !== undefined) begun = { copy: begun.copy };
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
    let from = 0;
    while (length > 0) {
      if (from === end) return;
      // How long a line is, it does not say; then all is copied.
      const missing = needed - length > 1 ? needed - length : end;
      const to = Math.min(end, from + missing);
      carry(bytes, from, to);
      from = to;
      if (length < needed) return;
      const done = readAll(carried, 0, length);
      if (done === 0) continue;
      // What was carried is part of what was read, so the rest stands in this chunk too.
      from -= length - done;
      length = 0;
    }
    const done = readAll(bytes, from, end);
    if (done < end) carry(bytes, done, end);
  };
}
