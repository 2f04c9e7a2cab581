import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';

/** @import { Encoding } from '../options/types.js' */
/** @import { Item } from '../plugins/types.js' */
/** @import { Job } from './types.js' */

/** @typedef {{encode: (value: any) => string | Buffer, decode: (reply: any) => any}} Codec */

/** As a program does it; of libraries their defaults. @type {Record<Exclude<Encoding, 'none'>, () => Promise<Codec>>} */
const CODECS = {
  json: async () => ({ encode: (value) => JSON.stringify(value), decode: (reply) => JSON.parse(reply) }),
  'json+gzip': async () => ({
    encode: (value) => gzipSync(JSON.stringify(value)),
    decode: (reply) => JSON.parse(gunzipSync(reply).toString()),
  }),
  async msgpack() {
    const { pack, unpack } = await import('msgpackr');
    return { encode: pack, decode: unpack };
  },
};

/**
 * What values are on their way to and from the server. With an encoding, an item's value is encoded whenever it is
 * sent, and each right reply is decoded, so that both are part of the operation.
 * @param {Pick<Job, 'encode' | 'replies'>} job
 */
export async function createCoding({ encode = 'none', replies }) {
  if (encode === 'none') return { itemOf: plainItems(replies), takeUs: () => 0 };
  const codec = await CODECS[encode]();
  const [encoding, decoding] = [timed(codec.encode), timed(codec.decode)];
  const known = new Map();
  return {
    /** @param {Item} item whose value is JSON @returns {Item} */
    itemOf(item) {
      const value =
        known.get(item.value) ??
        new CodedValue(item.value, { encode: encoding.call, decode: decoding.call }, replies);
      known.set(item.value, value);
      return new CodedItem(item, value);
    },

    /** @returns {number} the time that encoding and decoding took since the last call */
    takeUs: () => encoding.takeUs() + decoding.takeUs(),
  };
}

/** @typedef {Awaited<ReturnType<typeof createCoding>>} Coding */

/** @param {Job['replies']} replies @returns {(item: Item) => Item} for values that are sent as they are */
export const plainItems = (replies) => (replies === 'buffer' ? readAsBuffer : (item) => item);

/** Compares bytes, so that no check makes a string. @param {Item} item @returns {Item} */
function readAsBuffer(item) {
  return { ...item, reads: comparerOf(item.value, 'buffer') };
}

/** @param {string | Buffer} right @param {Job['replies']} replies @returns {(reply: unknown) => boolean} */
function comparerOf(right, replies) {
  if (replies !== 'buffer') return (reply) => reply === right;
  const bytes = Buffer.from(right);
  return (reply) => Buffer.isBuffer(reply) && reply.equals(bytes);
}

/**
 * Each reply is compared as it came. As the same bytes decode to the same value, that is compared as a whole once.
 */
class CodedValue {
  #isChecked = false;

  /** @param {string} json @param {Codec} codec @param {Job['replies']} replies */
  constructor(json, { encode, decode }, replies) {
    this.value = JSON.parse(json);
    this.encode = encode;
    this.decode = decode;
    this.isRight = comparerOf(encode(this.value), replies);
  }
  encoded() {
    return this.encode(this.value);
  }
  reads(/** @type {unknown} */ reply) {
    if (!this.isRight(reply)) return false;
    const decoded = this.decode(reply);
    this.#isChecked ||= isDeepStrictEqual(decoded, this.value);
    return this.#isChecked && decoded.id === this.value.id;
  }
}

/** A class, so that all items look alike to the compiler. @implements {Item} */
class CodedItem {
  #coded;

  /** @param {Item} item @param {CodedValue} coded */
  constructor({ index, key, hash }, coded) {
    this.index = index;
    this.key = key;
    this.hash = hash;
    this.#coded = coded;
  }
  /** @returns {any} clients take Buffers as well */
  get value() {
    return this.#coded.encoded();
  }
  reads(/** @type {unknown} */ reply) {
    return this.#coded.reads(reply);
  }
}

/**
 * Reading the clock twice takes 0.1 to 0.2 µs, the JSON of 1,000 characters 3 to 4 µs. Were only some calls timed, a
 * pause of the machine in one of them would count many times.
 * @param {(input: any) => any} work
 */
function timed(work) {
  let spentMs = 0;
  return {
    /** @param {any} input */
    call(input) {
      const startedAtMs = performance.now();
      const made = work(input);
      spentMs += performance.now() - startedAtMs;
      return made;
    },
    takeUs() {
      const us = spentMs * 1000;
      spentMs = 0;
      return us;
    },
  };
}
