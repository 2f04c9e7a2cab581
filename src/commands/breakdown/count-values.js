const [LF, MINUS, ZERO, NINE] = Buffer.from('\n-09');
const [BULK, BULK_ERROR, VERBATIM] = Buffer.from('$!=');
const [ARRAY, SET, PUSH, MAP, ATTRIBUTE] = Buffer.from('*~>%|');
/** More than any reply nests. */
const DEEPEST = 128;

/**
 * Counts whole values of RESP2 or RESP3 in a stream, commands or replies, chunk by chunk. It keeps nothing, and skips strings
 * by their length. What the server says unasked (pushes, attributes) is no reply.
 * @returns {(bytes: Uint8Array, end: number) => number} how many were whole after these bytes, since the beginning
 */
export function createCounter() {
  const missing = new Float64Array(DEEPEST + 1);
  let depth = 0;
  let whole = 0;
  let type = 0;
  let length = 0;
  let isNull = false;
  let toSkip = 0;
  let isUnasked = false;

  function endValue() {
    type = 0;
    while (depth > 0) {
      if (--missing[depth] > 0) return;
      depth--;
    }
    if (!isUnasked) whole++;
    isUnasked = false;
  }

  function endLine() {
    if (type === BULK || type === VERBATIM || type === BULK_ERROR) {
      if (isNull) endValue();
      else toSkip = length + 2;
      return;
    }
    const isPairs = type === MAP || type === ATTRIBUTE;
    const isAggregate = isPairs || type === ARRAY || type === SET || type === PUSH;
    if (isAggregate && depth === 0) isUnasked = type === PUSH || type === ATTRIBUTE;
    if (!isAggregate || isNull || length === 0 || depth === DEEPEST) return endValue();
    missing[++depth] = isPairs ? 2 * length : length;
    type = 0;
  }

  return (bytes, end) => {
    let at = 0;
    while (at < end) {
      if (toSkip > 0) {
        const skipped = Math.min(toSkip, end - at);
        at += skipped;
        toSkip -= skipped;
        if (toSkip === 0) endValue();
        continue;
      }
      const byte = bytes[at++];
      if (type === 0) {
        type = byte;
        length = 0;
        isNull = false;
      } else if (byte === LF) endLine();
      else if (byte >= ZERO && byte <= NINE) length = length * 10 + byte - ZERO;
      else if (byte === MINUS) isNull = true;
    }
    return whole;
  };
}
