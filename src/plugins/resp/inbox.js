/**
 * Cuts a stream of bytes into replies. Whole replies are read in place; only an incomplete reply at the end
 * of a chunk is copied, once, and kept until the rest arrives.
 *
 * @param {(bytes: Buffer, start: number, end: number) => {next: number, needed?: number}} readOne reads the
 *   reply at `start`; `next` is where it ends, or -1 with the fewest bytes that it needs
 */
export function createInbox(readOne) {
  let carried = Buffer.alloc(0);
  let length = 0;
  let needed = 0;

  /**
   * @param {Buffer} bytes
   * @param {number} end
   * @returns {number} the start of the first incomplete reply
   */
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

  /**
   * @param {Buffer} bytes that will be overwritten by the next chunk
   * @param {number} end how many of them are valid
   */
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
