import { hash, randomBytes } from 'node:crypto';
import { HEAD_BYTES } from './arguments.js';
import { MOST_KEYS } from './format.js';

/**
 * Numbers keys in order of appearance, so that a number says nothing about its key. Kept of a key: 64 bits of a hash with
 * a salt that is never written. The chance that two of two million keys have the same is one in ten million.
 *
 * A Map would take a gigabyte for ten million keys. This table has 48 MB and never grows, because moving a million entries
 * would delay commands. Later keys get one of as many further numbers by their hash: some share one, which the profile
 * says.
 */
const OWN_NUMBERS = MOST_KEYS / 2;
/** Two words of the hash, and the number plus one: 0 is an empty slot. */
const WORDS = 3;
const SALT_BYTES = 16;

/** @param {number} [own] keys with a number of their own */
export function createKeyNumbers(own = OWN_NUMBERS) {
  const slots = 2 * own;
  /** @type {Uint32Array | undefined} */
  let table;
  let next = 0;
  const salted = Buffer.alloc(SALT_BYTES + 4 + HEAD_BYTES);
  randomBytes(SALT_BYTES).copy(salted);

  return {
    areShared: () => next === own,

    /** @param {Buffer} bytes has the first HEAD_BYTES of the key @param {number} offset @param {number} length @returns {number} */
    numberOf(bytes, offset, length) {
      table ??= new Uint32Array(slots * WORDS);
      salted.writeUInt32LE(length, SALT_BYTES);
      const head = SALT_BYTES + 4;
      const end = head + bytes.copy(salted, head, offset, offset + Math.min(length, HEAD_BYTES));
      const digest = hash('sha256', salted.subarray(0, end), 'buffer');
      const high = digest.readUInt32LE(0);
      const low = digest.readUInt32LE(4);
      let slot = digest.readUInt32LE(8) % slots;
      for (let at = slot * WORDS; table[at + 2] !== 0; at = slot * WORDS) {
        if (table[at] === high && table[at + 1] === low) return table[at + 2] - 1;
        slot = (slot + 1) % slots;
      }
      if (next === own) return own + (high % own);
      table.set([high, low, ++next], slot * WORDS);
      return next - 1;
    },
  };
}

/** @typedef {ReturnType<typeof createKeyNumbers>} KeyNumbers */
