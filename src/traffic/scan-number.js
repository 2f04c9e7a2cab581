const [CR, LF, MINUS, PLUS, ZERO] = Buffer.from('\r\n-+0');
/** No length in RESP has more. */
const MOST_DIGITS = 15;

/** Not RESP: the rest of the connection cannot be parsed. */
export class Unparsable extends Error {
  name = 'Unparsable';
}

/** Reads the number that ends a line, possibly over several chunks. */
export function createNumberReader() {
  let value = 0;
  let digits = 0;
  let sign = 0;
  let sawReturn = false;

  return {
    begin() {
      value = 0;
      digits = 0;
      sign = 0;
      sawReturn = false;
    },

    value: () => (sign < 0 ? -value : value),

    /** @param {Buffer} bytes @param {number} from @returns {number} the end of the line; -1 if not here @throws {Unparsable} */
    read(bytes, from) {
      let at = from;
      while (at < bytes.length) {
        const byte = bytes[at++];
        const digit = byte - ZERO;
        if (sawReturn) {
          if (byte !== LF || digits === 0) throw new Unparsable();
          return at;
        }
        if (digit >= 0 && digit <= 9) {
          value = value * 10 + digit;
          if (++digits > MOST_DIGITS) throw new Unparsable();
        } else if (byte === CR) sawReturn = true;
        else if ((byte === MINUS || byte === PLUS) && digits === 0 && sign === 0)
          sign = byte === MINUS ? -1 : 1;
        else throw new Unparsable();
      }
      return -1;
    },
  };
}
