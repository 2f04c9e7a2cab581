const LINE_FEED = 10;

/**
 * Cuts chunks of bytes into lines. Memory use does not grow with the file, nor with a line beyond the longest.
 *
 * @param {number} longestBytes
 * @param {object} told
 * @param {(line: Buffer, whole: boolean) => void} told.onLine without its line feed; `whole` is false for a last line
 *   that has none
 * @param {() => void} told.onTooLong told of a line that is longer, which is left out
 */
export function createLineSplitter(longestBytes, { onLine, onTooLong }) {
  /** @type {Buffer[]} the beginning of a line that goes on in the next chunk */
  let begun = [];
  let begunBytes = 0;
  let isTooLong = false;

  /** @param {Buffer} rest @param {boolean} whole */
  function endLine(rest, whole) {
    if (isTooLong || begunBytes + rest.length > longestBytes) onTooLong();
    else onLine(begun.length === 0 ? rest : Buffer.concat([...begun, rest]), whole);
    begun = [];
    begunBytes = 0;
    isTooLong = false;
  }

  return {
    /** @param {Buffer} chunk */
    take(chunk) {
      let start = 0;
      for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED, start)) {
        endLine(chunk.subarray(start, feed), true);
        start = feed + 1;
      }
      const rest = chunk.subarray(start);
      if (isTooLong || rest.length === 0) return;
      begun.push(rest);
      begunBytes += rest.length;
      isTooLong = begunBytes > longestBytes;
      if (isTooLong) begun = [];
    },

    end() {
      if (begunBytes > 0) endLine(Buffer.alloc(0), false);
    },
  };
}
