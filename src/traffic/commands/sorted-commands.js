import {
  alike,
  atPlace,
  bytesIn,
  counted,
  distinct,
  inPieces,
  MOST_MEMBERS,
  membersIn,
  ofOneKey,
  replayed,
  shares,
  skippedBy,
  wholeNumber,
  withoutFirst,
  withSome,
} from './row-parts.js';

/** @import { CommandRow, ReadUse, RedisCommand } from '../types.js' */

/** @param {ReadUse} use @returns {{score: string}} the lower end of the range */
const scoreIn = (use) => {
  const least = wholeNumber(use.args[isReversed(use) ? 2 : 1]);
  return { score: least === 0 ? '1' : String(least) };
};

/** @param {ReadUse} use */
const ranked = (use) => {
  if (use.args.includes('BYSCORE')) return scoreIn(use);
  return use.args.includes('BYLEX') ? {} : { before: skippedBy(use) };
};

/** Members of equal score are in lexical order: these come first and last. */
const BEFORE = '!';
const AFTER = '~';

/** @param {Pick<ReadUse, 'name' | 'args'>} use */
const isReversed = ({ name, args }) =>
  name.startsWith('ZREV') || args.some((arg) => arg.toUpperCase() === 'REV');

/** @param {ReadUse} use @param {{score?: string, before?: number}} [range] */
function zset(use, { score = '1', before = 0 } = {}) {
  const { keys, args, content } = use;
  const hasScores = args.some((arg) => arg.toUpperCase() === 'WITHSCORES');
  const perMember = hasScores && use.isFlat ? 2 : 1;
  const count = Math.floor(membersIn(use) / perMember);
  const bytes = Math.max(0, bytesIn(use) - (hasScores ? count * score.length : 0));
  const sizes = shares(bytes, count);
  const skipped = Array.from(
    { length: Math.min(MOST_MEMBERS, before) },
    (_, index) => `${isReversed(use) ? AFTER : BEFORE}${index}`,
  );
  const members = [...skipped, ...sizes.map((size, index) => distinct(index, size, content))];
  const pairs = members.flatMap((member) => [score, member]);
  return inPieces('ZADD', keys[0], pairs, 2);
}

/** @param {ReadUse} use */
const someZset = (use) => zset({ ...withSome(use), args: [] });

/** @param {ReadUse} use @param {string} [score] @param {string} [member] @returns {RedisCommand[]} */
const zsetOfMember = ({ keys: [key], args }, score = '1', member = args[1] ?? 'm') => [
  ['ZADD', key, score, member],
];

/** @type {CommandRow['isLarge']} */
const highestScore = (args, place) => args.includes('BYSCORE') && place === (args.includes('REV') ? 1 : 2);

/** @type {CommandRow} */
const BY_SCORE = {
  syntax: 'krr|WITHSCORES LIMIT:nn',
  data: (use) => zset(use, scoreIn(use)),
};

/** @type {Record<string, CommandRow>} */
export const SORTED_COMMANDS = {
  ...replayed('read', 'zset', {
    ZRANGE: {
      syntax: 'kss|BYSCORE BYLEX REV WITHSCORES LIMIT:nn',
      isLarge: highestScore,
      data: (use) => zset(use, ranked(use)),
    },
    ZREVRANGE: { syntax: 'knn|WITHSCORES', data: (use) => zset(use, ranked(use)) },
    ZRANGEBYSCORE: { ...BY_SCORE, isLarge: atPlace(2) },
    ZREVRANGEBYSCORE: { ...BY_SCORE, isLarge: atPlace(1) },
    ZRANGEBYLEX: { syntax: 'krr|LIMIT:nn', data: (use) => zset(use) },
    ZREVRANGEBYLEX: { syntax: 'krr|LIMIT:nn', data: (use) => zset(use) },
    ZSCORE: { data: (use) => zsetOfMember(use, '1'.padEnd(Math.min(12, bytesIn(use)), '0')) },
    ZMSCORE: {
      data: (use) => use.args.slice(1).flatMap((member) => zsetOfMember(use, '1', member)),
    },
    ...alike('ZRANK ZREVRANK', { syntax: 'kv|WITHSCORE', data: (use) => zsetOfMember(use) }),
    ZCARD: { data: (use) => zset(counted(use)) },
    ZCOUNT: {
      syntax: 'krr',
      isLarge: atPlace(2),
      data: (use) => zset(counted(use), scoreIn(use)),
    },
    ZLEXCOUNT: { syntax: 'krr', data: (use) => zset(counted(use)) },
    ZRANDMEMBER: { syntax: 'kn|WITHSCORES', varies: true, data: someZset },
    ZSCAN: { syntax: 'ki|MATCH:v COUNT:n', varies: true, data: someZset },
  }),
  ...replayed('write', 'zset', {
    ZADD: {
      syntax: 'k|NX XX GT LT CH INCR *av',
      mayReply: ['text', 'null', 'number'],
    },
    ZREM: {},
    ZINCRBY: { syntax: 'kav' },
    ZREMRANGEBYRANK: { syntax: 'knn' },
    ZREMRANGEBYSCORE: { syntax: 'krr', isLarge: atPlace(2) },
    ZREMRANGEBYLEX: { syntax: 'krr' },
    ZRANGESTORE: { syntax: 'kkss|BYSCORE BYLEX REV LIMIT:nn' },
  }),
  ...replayed('take', 'zset', {
    ...alike('ZPOPMIN ZPOPMAX', { syntax: 'kn' }),
    ZMPOP: { syntax: 'n|MIN MAX COUNT:n' },
  }),
  BZPOPMIN: { syntax: '|+n', unblocked: ofOneKey('ZPOPMIN'), leftOut: 'blocks' },
  BZPOPMAX: { syntax: '|+n', unblocked: ofOneKey('ZPOPMAX'), leftOut: 'blocks' },
  BZMPOP: { syntax: 'nn|MIN MAX COUNT:n', unblocked: withoutFirst('ZMPOP'), leftOut: 'blocks' },
};
