import {
  alike,
  bytesIn,
  MOST_MEMBERS,
  membersIn,
  replayed,
  shares,
  skippedBy,
  someString,
  string,
} from './row-parts.js';

/** @import { CommandRow, ReadUse } from '../types.js' */

/** @param {ReadUse} use */
const wholeString = (use) => string(use.keys[0], use.content(bytesIn(use)));

/** @param {ReadUse} use */
const partOfString = (use) =>
  string(use.keys[0], use.content(bytesIn(use) + Math.min(MOST_MEMBERS, skippedBy(use))));

/** @param {ReadUse} use */
function severalStrings({ keys, content, reply }) {
  const [, bytes, , nulls = 0] = /** @type {any[]} */ (reply);
  const there = keys.slice(0, Math.max(0, keys.length - nulls));
  const sizes = shares(bytes, there.length);
  return there.flatMap((key, index) => string(key, content(sizes[index], index)));
}

/** Strings, numbers, bits and HyperLogLogs. @type {Record<string, CommandRow>} */
export const STRING_COMMANDS = {
  ...replayed('read', 'string', {
    GET: { reply: 'value', method: ['get', 1], data: wholeString },
    MGET: { reply: 'values', hits: 'members', data: severalStrings },
    STRLEN: { reply: 'number', data: (use) => string(use.keys[0], use.content(membersIn(use))) },
    ...alike('GETRANGE SUBSTR', { syntax: 'knn', reply: 'value', data: partOfString }),
    GETEX: { syntax: 'k|PERSIST EX:n PX:n EXAT:a PXAT:a', reply: 'value', data: wholeString },
  }),
  ...replayed('write', 'string', {
    SET: {
      syntax: 'kv|NX XX GET KEEPTTL EX:n PX:n EXAT:a PXAT:a IFEQ:v IFNE:v IFDEQ:v IFDNE:v',
      reply: 'done',
      valueAt: 1,
      method: ['set', 2],
      mayReply: ['text', 'null', 'number'],
    },
    ...alike('SETEX PSETEX', { syntax: 'knv', reply: 'done', valueAt: 2 }),
    SETNX: { reply: 'number', valueAt: 1 },
    GETSET: { reply: 'value', valueAt: 1, mayReply: ['text', 'null', 'number'] },
    MSET: { reply: 'done', valueAt: 'pairs' },
    MSETNX: { reply: 'number', valueAt: 'pairs' },
    APPEND: { reply: 'number', grows: true },
    SETRANGE: { syntax: 'knv', reply: 'number', grows: true, offsetAt: 1 },
  }),
  ...replayed('take', 'string', { GETDEL: { reply: 'value' } }),
  ...replayed('write', 'integer', {
    ...alike('INCR DECR', { reply: 'number' }),
    ...alike('INCRBY DECRBY', { syntax: 'ka', reply: 'number' }),
  }),
  ...replayed('write', 'float', { INCRBYFLOAT: { syntax: 'ka' } }),
  ...replayed('read', 'bits', {
    GETBIT: { syntax: 'ka', reply: 'number', data: someString },
    BITCOUNT: { syntax: 'knn|BYTE BIT', reply: 'number', data: someString },
    BITPOS: { syntax: 'kann|BYTE BIT', data: someString },
  }),
  ...replayed('write', 'bits', { SETBIT: { syntax: 'kaa', reply: 'number', offsetAt: 1 } }),
  ...replayed('read', 'hll', {
    PFCOUNT: { reply: 'number', data: ({ keys }) => keys.map((key) => ['PFADD', key, 'x']) },
  }),
  ...replayed('write', 'hll', { PFADD: { reply: 'number' }, PFMERGE: { reply: 'done' } }),
  BITOP: { syntax: 'w' },
  LCS: { syntax: 'kk|LEN IDX WITHMATCHLEN MINMATCHLEN:n' },
  MSETEX: { syntax: 'n' },
};
