const LINE_FEED = 10;

/**
 * Cuts chunks of bytes into lines. Memory use does not grow with the file, nor with a line beyond the longest.
 *
 * @param {number} longestBytes
 * @param {object} told
 * @param {(line: Buffer, whole: boolean) => void} told.onLine without its line feed; `whole` is false for a last line
 *   that has none
 * @param {() => void} told.onTooLong told once of a line that is longer, as soon as it is; the line is left out
 */
export function createLineSplitter(longestBytes, { onLine, onTooLong }) {
  /** @type {Buffer[]} the beginning of a line that goes on in the next chunk */
  let begun = [];
  let begunBytes = 0;
  let isTooLong = false;

  /** @param {Buffer} part of a line */
  function add(part) {
    if (isTooLong || part.length === 0) return;
    begun.push(part);
    begunBytes += part.length;
    if (begunBytes <= longestBytes) return;
    isTooLong = true;
    begun = [];
    onTooLong();
  }

  /** @param {boolean} whole */
  function endLine(whole) {
    const line = begun.length === 1 ? begun[0] : Buffer.concat(begun);
    const isKept = !isTooLong;
    begun = [];
    begunBytes = 0;
    isTooLong = false;
    if (isKept) onLine(line, whole);
  }

  return {
    /** @param {Buffer} chunk */
    take(chunk) {
      let start = 0;
      for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED, start)) {
        add(chunk.subarray(start, feed));
        endLine(true);
        start = feed + 1;
      }
      add(chunk.subarray(start));
    },

    end() {
      if (begunBytes > 0) endLine(false);
    },
  };
}

/** Editors on Windows start a file with a byte order mark, which is not JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

/** @param {string} text the beginning of a file */
export const withoutMark = (text) => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
