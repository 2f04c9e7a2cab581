import { COLLECTION_COMMANDS } from './collection-commands.js';
import {
  alike,
  atPlace,
  bytesIn,
  MOST_MEMBERS,
  membersIn,
  replayed,
  shares,
  skippedBy,
  someString,
  string,
} from './row-parts.js';
import { SORTED_COMMANDS } from './sorted-commands.js';
import { STREAM_COMMANDS } from './stream-commands.js';

/** @import { CommandRow, LeftOutReason, ReadUse, RedisCommand } from '../types.js' */

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

/** @param {ReadUse} use @returns {RedisCommand[]} a type whose name has that length */
function typed({ keys: [key], reply: [, bytes] }) {
  if (bytes === 3) return [['SADD', key, 'x']];
  return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
}

/** Strings, keys of any type, connections, channels, scripts, transactions and the server. @type {Record<string, CommandRow>} */
const OTHER_COMMANDS = {
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
  ...replayed('plain', 'any', { PING: {}, ECHO: {}, TIME: { varies: true } }),
  ...replayed('read', 'any', {
    EXISTS: { method: ['exists', 1], data: someString },
    TYPE: { data: typed },
    ...alike('TTL PTTL TOUCH EXPIRETIME PEXPIRETIME', { data: someString }),
  }),
  ...replayed('write', 'any', {
    DEL: { method: ['del', 1] },
    ...alike('UNLINK PERSIST', {}),
    ...alike('EXPIRE PEXPIRE', { syntax: 'kn|NX XX GT LT' }),
    ...alike('EXPIREAT PEXPIREAT', { syntax: 'ka|NX XX GT LT', isLarge: atPlace(1) }),
  }),
  ...alike('AUTH HELLO CLIENT', { isPrivate: true, leftOut: 'set-up' }),
  RESET: { role: 'reset', leftOut: 'set-up' },
  ...alike('SELECT QUIT READONLY READWRITE ASKING COMMAND INFO', { leftOut: 'set-up' }),
  ...alike('SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE', {
    role: 'subscribe',
    leftOut: 'channels',
  }),
  ...alike('PUBLISH SPUBLISH PUBSUB', { leftOut: 'channels' }),
  ...alike('WAIT WAITAOF', { leftOut: 'blocks' }),
  ...alike('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO SCRIPT FUNCTION', { leftOut: 'scripts' }),
  ...alike('WATCH UNWATCH', { leftOut: 'watched' }),
  MULTI: { role: 'multi', leftOut: 'not-carried-out' },
  EXEC: { role: 'exec', leftOut: 'not-carried-out' },
  DISCARD: { role: 'discard', leftOut: 'not-carried-out' },
  ...alike('SCAN KEYS DBSIZE RANDOMKEY FLUSHDB FLUSHALL SWAPDB', { leftOut: 'whole-database' }),
  'CLIENT REPLY': { isPrivate: true, role: 'reply' },
  ...alike('ACL CONFIG MIGRATE REPLCONF', { isPrivate: true }),
  MONITOR: { role: 'monitor' },
  ...alike('SYNC PSYNC', { role: 'sync' }),
};

/** A command without a row is recorded with its values as sizes, and left out of replays. @type {Map<string, CommandRow>} */
export const COMMANDS = new Map(
  Object.entries({ ...COLLECTION_COMMANDS, ...SORTED_COMMANDS, ...STREAM_COMMANDS, ...OTHER_COMMANDS }),
);

/** @type {CommandRow} */
const NOTHING_KNOWN = {};

/** @param {string} name in capitals, with its subcommand @returns {CommandRow} */
export const rowOf = (name) => COMMANDS.get(name) ?? NOTHING_KNOWN;

/** @param {string} name in capitals, with its subcommand @returns {LeftOutReason} */
export const reasonToLeaveOut = (name) => rowOf(name.split(' ')[0]).leftOut ?? 'unknown';
