import { bytesIn, distinct, inPieces, membersIn, shares } from './reply-amounts.js';

/** @import { Command, ReadUse } from './types.js' */

/** @param {ReadUse} use */
export function hashOfPairs({ keys: [key], content, ...use }) {
  const { reply } = use;
  const pairs = membersIn(use) / (reply[0] === '%' ? 1 : 2);
  const bytes = shares(bytesIn(use), Math.floor(pairs));
  const parts = bytes.flatMap((all, index) => {
    const field = distinct(index, Math.min(8, Math.floor(all / 2)), content);
    return [field, content(Math.max(0, all - field.length), index)];
  });
  return inPieces('HSET', key, parts, 2);
}

/** @param {ReadUse} use @param {boolean} areFields whether the reply's members are fields, and not values */
export function hashOfMembers({ keys: [key], content, ...use }, areFields) {
  const sizes = shares(bytesIn(use), membersIn(use));
  const parts = sizes.flatMap((bytes, index) =>
    areFields ? [distinct(index, bytes, content), 'x'] : [`f${index}`, content(bytes, index)],
  );
  return inPieces('HSET', key, parts, 2);
}

/** @param {ReadUse} use @returns {Command[]} */
export function hashOfAsked({ keys: [key], args, content, reply }) {
  const [, bytes, members = 1, nulls = 0] = /** @type {any[]} */ (reply);
  const fields = args.slice(1, 1 + members - nulls);
  const sizes = shares(bytes, fields.length);
  return fields.length === 0
    ? []
    : [['HSET', key, ...fields.flatMap((field, index) => [field, content(sizes[index], index)])]];
}
