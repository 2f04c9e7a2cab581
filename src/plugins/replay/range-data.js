import { bytesIn, distinct, inPieces, MOST_MEMBERS, membersIn, shares } from './reply-amounts.js';

/** @import { Command, ReadUse } from './types.js' */

/** @param {string | undefined} text @returns {number} 0 where it is no whole number */
const whole = (text) => (/^-?\d+$/.test(text ?? '') ? Number(text) : 0);

/** @param {ReadUse} use @returns {number} of a range by rank */
export const skippedBy = ({ args }) => Math.max(0, whole(args[1]));

/** @param {ReadUse} use @returns {{score: string}} of a range by score: the number at its lower end */
export const scoreIn = (use) => {
  const least = use.args[isReversed(use) ? 2 : 1];
  return { score: whole(least) === 0 ? '1' : String(whole(least)) };
};

/** @param {ReadUse} use */
export const ranked = (use) => {
  if (use.args.includes('BYSCORE')) return scoreIn(use);
  return use.args.includes('BYLEX') ? {} : { before: skippedBy(use) };
};

/** @param {ReadUse} use @param {number} before elements that the range skips */
export function list({ keys: [key], content, ...use }, before) {
  const sizes = shares(bytesIn(use), membersIn(use));
  const skipped = Array.from({ length: Math.min(MOST_MEMBERS, before) }, () => 'x');
  return inPieces('RPUSH', key, [...skipped, ...sizes.map((bytes, index) => content(bytes, index))]);
}

/** Members of one score stand in the order of their characters: these before all others, or after them. */
const BEFORE = '!';
const AFTER = '~';

/** @param {Pick<ReadUse, 'name' | 'args'>} use */
const isReversed = ({ name, args }) =>
  name.startsWith('ZREV') || args.some((arg) => arg.toUpperCase() === 'REV');

/** @param {ReadUse} use @param {{score?: string, before?: number}} [range] */
export function zset({ keys: [key], args, content, ...use }, { score = '1', before = 0 } = {}) {
  const all = { ...use, keys: [key], args, content };
  const hasScores = args.some((arg) => arg.toUpperCase() === 'WITHSCORES');
  const perMember = hasScores && use.isFlat ? 2 : 1;
  const count = Math.floor(membersIn(all) / perMember);
  const bytes = Math.max(0, bytesIn(all) - (hasScores ? count * score.length : 0));
  const sizes = shares(bytes, count);
  const skipped = Array.from(
    { length: Math.min(MOST_MEMBERS, before) },
    (_, index) => `${isReversed(all) ? AFTER : BEFORE}${index}`,
  );
  const members = [...skipped, ...sizes.map((size, index) => distinct(index, size, content))];
  return inPieces(
    'ZADD',
    key,
    members.flatMap((member) => [score, member]),
    2,
  );
}

/** @param {ReadUse} use @param {string} member @param {string} score @returns {Command[]} */
export const zsetOf = ({ keys: [key] }, member, score) => [['ZADD', key, score, member]];
