const [CR, LF, MINUS, PLUS, ZERO] = Buffer.from('\r\n-+0');
/** Redis has no longer number in a length. */
const MOST_DIGITS = 15;

/** What came is not RESP: nothing after it on that connection can be distinguished. */
export class Unparsable extends Error {
  name = 'Unparsable';
}

/** Reads the number that ends a line, whose bytes may be in several chunks. */
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

    /**
     * @param {Buffer} bytes @param {number} from @returns {number} where the line ends; -1 if not in these bytes
     * @throws {Unparsable}
     */
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
