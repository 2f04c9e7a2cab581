import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { ONE_SLOT } from '../server/one-slot.js';
import { plainItems } from './coding.js';
import { countBelow } from './schedule.js';

/** @import { Item, Items, Step } from '../plugins/types.js' */
/** @import { Job, Part } from './types.js' */
/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** All different values of a worker. Larger sets repeat: at 1 MB each, key 64 has the value of key 0 again. */
const MOST_DISTINCT_BYTES = 64e6;

/**
 * A pure function of the job, so that every cell of a group writes, expects and does the same.
 * @param {Pick<Job, 'keyPrefix' | 'keySize' | 'valueSize' | 'shortestValue' |
 *   'value' | 'keys' | 'keyDistribution' | 'oneSlot' | 'seed'> & Partial<Pick<Job, 'part' | 'replies'>>} job
 * @param {(item: Item) => Item} [itemOf] how its value is sent and read @returns {Items}
 */
export function createItems(job, itemOf = plainItems(job.replies)) {
  const { keys } = job;
  const valueAt = createValues(job);
  const hash = `${job.keyPrefix}h`;
  const items = Array.from({ length: keys }, (_, index) =>
    Object.freeze(itemOf({ index, key: keyAt(index, job), hash, value: valueAt(index) })),
  );
  return inOrder(items, createKeyOrder(job), [hash]);
}

/** @param {Item[]} items @param {ReturnType<typeof createKeyOrder>} order @param {string[]} [more] keys @returns {Items} */
function inOrder(items, order, more = []) {
  const [only] = items;
  const nextIndex = order?.next;
  return {
    next: nextIndex === undefined ? () => only : () => items[nextIndex()],
    last: (count) => order?.last(count).map((index) => items[index]) ?? [only],
    restart: () => order?.restart(),
    all: () => items,
    keys: () => [...more, ...items.map(({ key }) => key)],
  };
}

/**
 * The sets of keys of a mix, whose shares go over them independently: in lockstep, of two commands each would see every
 * other key.
 * @param {Items} first @param {Parameters<typeof createItems>[0]} job @param {(item: Item) => Item} [itemOf]
 */
export function createSets(first, job, itemOf) {
  const sets = [first];
  return {
    all: () => Object.values(sets),

    /** @param {number} number @param {number} [share] where its order begins */
    setOf(number, share = 0) {
      sets[number] ??= createItems({ ...job, keyPrefix: `${job.keyPrefix}.${number}:` }, itemOf);
      return share === 0 ? sets[number] : inOrder(sets[number].all(), createKeyOrder(job, share));
    },
  };
}

/** Each iteration takes a key of its share. @param {Items} items @param {Step[][]} iterations @returns {Items} */
export function takingTurns(items, iterations) {
  if (iterations[0]?.[0].items === undefined) return items;
  let at = 0;
  return { ...items, next: () => (iterations[at++ % iterations.length][0].items ?? items).next() };
}

/**
 * @param {Pick<Job, 'keyPrefix' | 'keySize' | 'value' | 'replies' | 'oneSlot' | 'seed'>} job
 * @param {{valueSize: number, keys: number}} own @param {(item: Item) => Item} [itemOf]
 */
export const createOwnItems = (job, { valueSize, keys }, itemOf) =>
  createItems(
    {
      ...job,
      keyPrefix: `${job.keyPrefix}@${valueSize}:`,
      keys,
      valueSize,
      shortestValue: valueSize,
      keyDistribution: 'sequential',
    },
    itemOf,
  );

/** @param {Pick<Items, 'all' | 'keys'>[]} sets @returns {Pick<Items, 'all' | 'keys'>} */
export const allOf = (sets) => ({
  all: () => sets.flatMap((items) => items.all()),
  keys: () => sets.flatMap((items) => items.keys()),
});

/** @param {number} index @param {Pick<Job, 'keyPrefix' | 'keySize' | 'oneSlot'>} job */
const keyAt = (index, { keyPrefix, keySize, oneSlot }) =>
  fill(`${keyPrefix}${oneSlot ? ONE_SLOT : ''}${index}`, keySize);

/** @param {Pick<Job, 'keys' | 'valueSize' | 'shortestValue' | 'value'>} job @returns {(index: number) => string} */
function createValues({ keys, valueSize, shortestValue, value }) {
  const make = { text: textValue, json: jsonValue, records: recordText }[value];
  const distinct = Math.max(1, Math.min(keys, Math.floor(MOST_DISTINCT_BYTES / valueSize)));
  const digits = digitsOf(distinct - 1);
  const lengthAt = (/** @type {number} */ index) =>
    shortestValue + spread(index, valueSize - shortestValue + 1);
  const values = Array.from({ length: distinct }, (_, index) => make(index, lengthAt(index), digits));
  return (index) => values[index % distinct];
}

/** Its multiples fill the unit interval evenly, however many there are: 1/φ, as in Knuth's hashing (TAOCP 3, 6.4). */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** @param {number} index @param {number} count @returns {number} from 0 to count - 1, evenly over the indices */
const spread = (index, count) => Math.floor(((index * GOLDEN) % 1) * count);

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Continues a text; only in ASCII, so that characters are bytes. @param {string} start @param {number} length */
const fill = (start, length) => flat(start + lettersFrom(0, length - start.length));

/**
 * Differs in every character from the values of the 61 keys before and after, so that no part of another's reply passes for
 * it, and in its first characters from those of all keys: they carry the key's number, lowest digit first, because short
 * values have no room for more. @param {number} index @param {number} length @param {number} digits of the largest index
 */
function textValue(index, length, digits) {
  let start = '';
  let rest = index;
  while (start.length < Math.min(digits, length)) {
    const digit = start.length === 0 ? 0 : rest % LETTERS.length;
    start += LETTERS[(index + start.length + digit) % LETTERS.length];
    rest = Math.floor(rest / LETTERS.length);
  }
  return flat(start + lettersFrom(index + start.length, length - start.length));
}

/** @param {number} number @returns {number} how many digits it has where each letter is one */
const digitsOf = (number) =>
  number < LETTERS.length ? 1 : 1 + digitsOf(Math.floor(number / LETTERS.length));

/** @param {number} position @param {number} length @returns {string} the letters over and over, from one of them on */
function lettersFrom(position, length) {
  const offset = position % LETTERS.length;
  return LETTERS.repeat(Math.ceil((offset + length) / LETTERS.length)).slice(offset, offset + length);
}

/**
 * V8 keeps a concatenation as a tree, and comparing a reply with that takes a slow way out of compiled code: 0.1 µs per
 * operation, measured. Decoded from bytes, a string is in one piece. @param {string} text
 */
const flat = (text) => Buffer.from(text).toString('latin1');

/** @param {number} index @param {number} length at least 2 @param {number} digits @returns {string} JSON of exactly that length */
function jsonValue(index, length, digits) {
  const frame = JSON.stringify({ data: '' });
  return flat(
    length < frame.length
      ? JSON.stringify(textValue(index, length - 2, digits))
      : JSON.stringify({ data: textValue(index, length - frame.length, digits) }),
  );
}

/** The exponent of YCSB: of 1000 keys, the first gets about an eighth of the operations. */
const ZIPF_EXPONENT = 0.99;
/** Random orders are drawn before the run, which must not pay for them, and repeat after this many. */
const MADE = 2 ** 20;
/** @type {Part} */
const WHOLE = { index: 0, count: 1 };

/**
 * @param {Pick<Job, 'keys' | 'keyDistribution' | 'seed'> & Partial<Pick<Job, 'part'>>} job in sequence, each process takes
 *   every so many-th key; random orders differ
 * @param {number} [share] of the keys after which it begins
 * @returns {{next: () => number, last: (count: number) => number[], restart: () => void} | null} of indices; `last`: the
 *   latest first; null of one key
 */
function createKeyOrder({ keys, keyDistribution: distribution, seed, part = WHOLE }, share = 0) {
  const { index, count } = part;
  if (keys === 1) return null;
  if (distribution === 'sequential') {
    const step = count % keys;
    const before = (index + Math.floor((share * keys) / count) * count + keys - step) % keys;
    let current = before;
    return {
      next() {
        current += step;
        if (current >= keys) current -= keys;
        return current;
      },
      last: (count) =>
        Array.from({ length: count }, (_, back) => (((current - back * step) % keys) + keys) % keys),
      restart() {
        current = before;
      },
    };
  }
  const random = xoroshiro128plus(seed + index + Math.floor(share * MADE));
  const pick = distribution === 'zipf' ? createZipf(keys, random) : () => uniformInt(random, 0, keys - 1);
  const order = Uint32Array.from({ length: MADE }, pick);
  let position = 0;
  return {
    next: () => order[position++ & (MADE - 1)],
    last: (count) => Array.from({ length: count }, (_, back) => order[(position - 1 - back) & (MADE - 1)]),
    restart() {
      position = 0;
    },
  };
}

/** Key k comes with a probability in proportion to 1 / (k + 1) ^ 0.99. @param {number} keys @param {RandomGenerator} random */
function createZipf(keys, random) {
  const cumulative = new Float64Array(keys);
  let sum = 0;
  for (let index = 0; index < keys; index++) {
    sum += (index + 1) ** -ZIPF_EXPONENT;
    cumulative[index] = sum;
  }
  return () => Math.min(keys - 1, countBelow(cumulative, uniformFloat64(random) * sum));
}

const WORDS = (
  'order,customer,delivery,address,invoice,payment,confirmed,pending,the,of,and,to,in,for,with,on,by,' +
  'was,is,parcel,station,morning,evening,window,black,small,large,cotton,leather,wooden,bottle,paper,' +
  'garden,kitchen,please,call,before,return,within,fourteen,days,gift,wrapped,fragile,handle,care,' +
  'leave,neighbour,front,door'
).split(',');
const STATES = ['open', 'paid', 'sent', 'returned'];
const FROM_S = Date.UTC(2024, 0) / 1000;
const YEAR_S = 366 * 24 * 3600;

/**
 * An order with numbers, dates, texts and as many lines as there is room for. Dates are ISO texts, so that every encoding
 * gives the same value back. gzip makes it 3 to 5 times shorter from 3,000 characters on, and 2 times at 1,000.
 * @param {number} index of the key @param {number} length in characters, at least 150 @returns {string} its JSON
 */
export function recordText(index, length) {
  const random = xoroshiro128plus(index + 1);
  /** @type {object[]} */
  const lines = [];
  const record = { ...orderOf(index, random), lines, note: '' };
  let room = length - JSON.stringify(record).length;
  for (;;) {
    const line = lineOf(random);
    const needed = JSON.stringify(line).length + (lines.length > 0 ? 1 : 0);
    // What is left is for the note.
    if (needed > room * 0.9) break;
    lines.push(line);
    room -= needed;
  }
  while (record.note.length < room) record.note += `${wordOf(random)} `;
  record.note = record.note.slice(0, room);
  return JSON.stringify(record);
}

/** @param {number} index @param {RandomGenerator} random */
const orderOf = (index, random) => ({
  id: 100_000_000 + index,
  customer: 1_000_000 + uniformInt(random, 0, 8_999_999),
  state: STATES[uniformInt(random, 0, STATES.length - 1)],
  isPaid: uniformInt(random, 0, 1) === 1,
  orderedAt: dateOf(random),
  discount: null,
});

/** @param {RandomGenerator} random */
const lineOf = (random) => ({
  article: uniformInt(random, 1_000_000, 9_999_999),
  title: `${wordOf(random)} ${wordOf(random)} ${wordOf(random)}`,
  quantity: uniformInt(random, 1, 9),
  price: uniformInt(random, 100, 99_999) / 100,
  sentOn: dateOf(random).slice(0, 10),
});

/** @param {RandomGenerator} random */
const wordOf = (random) => WORDS[uniformInt(random, 0, WORDS.length - 1)];

/** @param {RandomGenerator} random */
const dateOf = (random) => new Date((FROM_S + uniformInt(random, 0, YEAR_S)) * 1000).toISOString();
