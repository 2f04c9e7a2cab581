import { isDeepStrictEqual } from 'node:util';
import { freshText } from '../fresh-text.js';

/** @import { Encoding } from '../options/types.js' */
/** @import { Item } from '../plugins/types.js' */
/** @import { Job } from './types.js' */

/** @typedef {{encode: (value: any) => string | Buffer, decode: (reply: any) => any}} Codec */

/** With the defaults of each library. @type {Record<Exclude<Encoding, 'none'>, () => Promise<Codec>>} */
const CODECS = {
  json: async () => ({ encode: (value) => JSON.stringify(value), decode: (reply) => JSON.parse(reply) }),
  async 'json+gzip'() {
    const { gunzipSync, gzipSync } = await import('node:zlib');
    return {
      encode: (value) => gzipSync(JSON.stringify(value)),
      decode: (reply) => JSON.parse(gunzipSync(reply).toString()),
    };
  },
  async msgpack() {
    const { pack, unpack } = await import('msgpackr');
    return { encode: pack, decode: unpack };
  },
};

/**
 * Encoding and decoding are part of each operation.
 * @param {Partial<Pick<Job, 'encode' | 'replies' | 'isFollowed'>>} job
 */
export async function createCoding({ encode = 'none', replies, isFollowed = false }) {
  if (encode === 'none') return { itemOf: isFollowed ? freshItem : plainItems(replies), takeUs: () => 0 };
  const { takeUs, ...codec } = timed(await CODECS[encode]());
  /** @type {Map<string, Wanted>} by JSON: many keys may have the same value */
  const known = new Map();
  return {
    /** @param {Item} item whose value is JSON @returns {Item} */
    itemOf(item) {
      const wanted = known.get(item.value) ?? wantedOf(JSON.parse(item.value), codec, replies);
      known.set(item.value, wanted);
      return new CodedItem(item, wanted, codec);
    },
    takeUs,
  };
}

/** @typedef {Awaited<ReturnType<typeof createCoding>>} Coding */

/** Whose value is new each time that it is read. @param {Item} item @returns {Item} */
const freshItem = ({ value, ...item }) => ({
  ...item,
  get value() {
    return freshText(value);
  },
  reads: comparerOf(value, 'string'),
});

/** Buffers are compared by bytes, so that no check makes a string. @param {Job['replies']} replies @returns {(item: Item) => Item} */
export const plainItems = (replies) => (item) =>
  replies === 'buffer' ? { ...item, reads: comparerOf(item.value, replies) } : item;

/** @param {string | Buffer} right @param {Job['replies']} replies @returns {(reply: unknown) => boolean} */
function comparerOf(right, replies) {
  if (replies !== 'buffer') return (reply) => reply === right;
  const bytes = Buffer.from(right);
  return (reply) => Buffer.isBuffer(reply) && reply.equals(bytes);
}

/** @param {{id?: unknown}} value @param {Codec} codec @param {Job['replies']} replies @typedef {ReturnType<typeof wantedOf>} Wanted */
const wantedOf = (value, { encode }, replies) => ({
  value,
  isRight: comparerOf(encode(value), replies),
  isDecoded: false,
});

/** A class, so that all items look alike to the compiler. @implements {Item} */
class CodedItem {
  #wanted;
  #codec;

  /** @param {Item} item @param {Wanted} wanted @param {Codec} codec */
  constructor({ index, key, hash }, wanted, codec) {
    this.index = index;
    this.key = key;
    this.hash = hash;
    this.#wanted = wanted;
    this.#codec = codec;
  }
  /** @returns {any} clients take Buffers as well */
  get value() {
    return this.#codec.encode(this.#wanted.value);
  }
  /** Bytes are compared in every reply. The same bytes decode to the same value, so that is compared as a whole once. */
  reads(/** @type {unknown} */ reply) {
    const wanted = this.#wanted;
    if (!wanted.isRight(reply)) return false;
    const decoded = this.#codec.decode(reply);
    wanted.isDecoded ||= isDeepStrictEqual(decoded, wanted.value);
    return wanted.isDecoded && decoded.id === wanted.value.id;
  }
}

/**
 * Reading the clock twice takes 0.1 to 0.2 µs, the JSON of 1,000 characters 3 to 4 µs. All calls are timed: in a sample,
 * one pause of the machine would count many times. @param {Codec} codec @returns {Codec & {takeUs: () => number}}
 */
function timed({ encode, decode }) {
  let spentMs = 0;
  /** @template Input, Made @param {(input: Input) => Made} work @returns {(input: Input) => Made} */
  const watched = (work) => (input) => {
    const startedAtMs = performance.now();
    const made = work(input);
    spentMs += performance.now() - startedAtMs;
    return made;
  };
  function takeUs() {
    const us = spentMs * 1000;
    spentMs = 0;
    return us;
  }
  return { encode: watched(encode), decode: watched(decode), takeUs };
}
