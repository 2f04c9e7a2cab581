import { MOST_ARGUMENTS } from './format.js';

/** Kept of an argument that spans chunks. Keys with the same head and the same length count as one. */
export const HEAD_BYTES = 1024;
const NOTHING = Buffer.alloc(0);

/** Where the words of a command lie in the current chunk, its name first. Only what is in an earlier chunk is copied. */
export function createArguments() {
  const lengths = new Int32Array(MOST_ARGUMENTS + 1);
  const offsets = new Int32Array(MOST_ARGUMENTS + 1);
  /** @type {Buffer} */
  let chunk = NOTHING;
  /** @type {Buffer} */
  let scratch = NOTHING;
  let scratchEnd = 0;
  /** How many are in the scratch. */
  let kept = 0;
  const self = {
    count: 0,
    /** Bytes of those beyond MOST_ARGUMENTS. */
    restBytes: 0,
    lengths,
    offsets,

    clear() {
      self.count = 0;
      self.restBytes = 0;
      kept = 0;
      scratchEnd = 0;
    },

    /** @param {Buffer} bytes the next chunk */
    enter(bytes) {
      chunk = bytes;
    },

    /** @param {number} length @param {number} offset in the chunk */
    begin(length, offset) {
      if (self.count <= MOST_ARGUMENTS) {
        lengths[self.count] = length;
        offsets[self.count] = offset;
      } else self.restBytes += length;
      self.count++;
    },

    /** Adds to a word that began in an earlier chunk. @param {number} from @param {number} to */
    proceed(from, to) {
      if (self.count !== kept) return;
      const missing = offsets[kept - 1] + Math.min(lengths[kept - 1], HEAD_BYTES) - scratchEnd;
      if (missing > 0) copy(from, Math.min(to, from + missing));
    },

    /** Keeps what is needed of the chunk. */
    leave() {
      for (; kept < Math.min(self.count, MOST_ARGUMENTS + 1); kept++) {
        const offset = offsets[kept];
        offsets[kept] = scratchEnd;
        copy(offset, Math.min(offset + Math.min(lengths[kept], HEAD_BYTES), chunk.length));
      }
      chunk = NOTHING;
    },

    /** @param {number} index @returns {Buffer} has its first HEAD_BYTES at its offset */
    source: (index) => (index < kept ? scratch : chunk),

    /** @param {number} index @returns {string} its first HEAD_BYTES */
    text(index) {
      const end = offsets[index] + Math.min(lengths[index], HEAD_BYTES);
      return self.source(index).toString('latin1', offsets[index], end);
    },
  };

  /** @param {number} from @param {number} to in the chunk */
  function copy(from, to) {
    const needed = scratchEnd + to - from;
    if (needed > scratch.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, scratch.length * 2, HEAD_BYTES));
      scratch.copy(larger, 0, 0, scratchEnd);
      scratch = larger;
    }
    scratchEnd += chunk.copy(scratch, scratchEnd, from, to);
  }
  return self;
}

/** @typedef {ReturnType<typeof createArguments>} Arguments */
