import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

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
  const record = { ...orderOf(index, random), lines: /** @type {object[]} */ ([]), note: '' };
  let room = length - JSON.stringify(record).length;
  for (;;) {
    const line = lineOf(random);
    const needed = JSON.stringify(line).length + (record.lines.length > 0 ? 1 : 0);
    // What is left is for the note.
    if (needed > room * 0.9) break;
    record.lines.push(line);
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
