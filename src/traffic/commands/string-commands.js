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
    GET: { method: ['get', 1], data: wholeString },
    MGET: { hits: 'members', data: severalStrings },
    STRLEN: { data: (use) => string(use.keys[0], use.content(membersIn(use))) },
    ...alike('GETRANGE SUBSTR', { syntax: 'knn', data: partOfString }),
    GETEX: { syntax: 'k|PERSIST EX:n PX:n EXAT:a PXAT:a', data: wholeString },
  }),
  ...replayed('write', 'string', {
    SET: {
      syntax: 'kv|NX XX GET KEEPTTL EX:n PX:n EXAT:a PXAT:a IFEQ:v IFNE:v IFDEQ:v IFDNE:v',
      method: ['set', 2],
      mayReply: ['text', 'null', 'number'],
    },
    ...alike('SETEX PSETEX', { syntax: 'knv' }),
    SETNX: {},
    GETSET: { mayReply: ['text', 'null', 'number'] },
    MSET: {},
    MSETNX: {},
    APPEND: { grows: true },
    SETRANGE: { syntax: 'knv', grows: true, offsetAt: 1 },
  }),
  ...replayed('take', 'string', { GETDEL: {} }),
  ...replayed('write', 'integer', {
    ...alike('INCR DECR', {}),
    ...alike('INCRBY DECRBY', { syntax: 'ka' }),
  }),
  ...replayed('write', 'float', { INCRBYFLOAT: { syntax: 'ka' } }),
  ...replayed('read', 'bits', {
    GETBIT: { syntax: 'ka', data: someString },
    BITCOUNT: { syntax: 'knn|BYTE BIT', data: someString },
    BITPOS: { syntax: 'kann|BYTE BIT', data: someString },
  }),
  ...replayed('write', 'bits', { SETBIT: { syntax: 'kaa', offsetAt: 1 } }),
  ...replayed('read', 'hll', {
    PFCOUNT: { data: ({ keys }) => keys.map((key) => ['PFADD', key, 'x']) },
  }),
  ...replayed('write', 'hll', { PFADD: {}, PFMERGE: {} }),
  BITOP: { syntax: 'w' },
  LCS: { syntax: 'kk|LEN IDX WITHMATCHLEN MINMATCHLEN:n' },
  MSETEX: { syntax: 'n' },
};
