import { BLOCKS, replayed, someString, string } from './row-parts.js';

/** @import { CommandRow, ReadUse, RedisCommand } from '../types.js' */

/** @param {ReadUse} use @returns {RedisCommand[]} something of the type that TYPE tells by its length */
function typed({ keys: [key], reply: [, bytes] }) {
  if (bytes === 3) return [['SADD', key, 'x']];
  return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
}

/** @type {CommandRow['isLarge']} */
const isTime = (_, place) => place === 1;

const SET_UP = 'the client sets up its connections itself';
const CHANNELS = 'channels are not replayed';
const SCRIPTS = 'scripts are not recorded';
const WATCHED = 'keys are not watched';
export const NOT_CARRIED_OUT = 'of transactions that were not carried out';
const WHOLE_DATABASE = 'they work on the whole database';

/** Keys of any type, connections, channels, scripts, transactions and the server. @type {Record<string, CommandRow>} */
export const OTHER_COMMANDS = {
  ...replayed('plain', 'any', {
    PING: { reply: 'pong' },
    ECHO: { reply: 'one' },
    TIME: { varies: true },
  }),
  ...replayed('read', 'any', {
    EXISTS: { reply: 'number', method: ['exists', 1], data: someString },
    TYPE: { data: typed },
    TTL: { reply: 'number', data: someString },
    PTTL: { reply: 'number', data: someString },
    EXPIRETIME: { data: someString },
    PEXPIRETIME: { data: someString },
    TOUCH: { reply: 'number', data: someString },
  }),
  ...replayed('write', 'any', {
    DEL: { reply: 'number', method: ['del', 1] },
    UNLINK: { reply: 'number' },
    EXPIRE: { syntax: 'kn|NX XX GT LT', reply: 'number' },
    PEXPIRE: { syntax: 'kn|NX XX GT LT', reply: 'number' },
    EXPIREAT: { syntax: 'ka|NX XX GT LT', reply: 'number', isLarge: isTime },
    PEXPIREAT: { syntax: 'ka|NX XX GT LT', reply: 'number', isLarge: isTime },
    PERSIST: { reply: 'number' },
  }),
  AUTH: { isPrivate: true, reply: 'done', leftOut: SET_UP },
  HELLO: { isPrivate: true, leftOut: SET_UP },
  SELECT: { syntax: 'n', reply: 'done', leftOut: SET_UP },
  CLIENT: { isPrivate: true, leftOut: SET_UP },
  RESET: { role: 'reset', leftOut: SET_UP },
  QUIT: { leftOut: SET_UP },
  READONLY: { leftOut: SET_UP },
  READWRITE: { leftOut: SET_UP },
  ASKING: { leftOut: SET_UP },
  COMMAND: { leftOut: SET_UP },
  INFO: { leftOut: SET_UP },
  SUBSCRIBE: { role: 'subscribe', leftOut: CHANNELS },
  PSUBSCRIBE: { role: 'subscribe', leftOut: CHANNELS },
  SSUBSCRIBE: { role: 'subscribe', leftOut: CHANNELS },
  UNSUBSCRIBE: { role: 'subscribe', leftOut: CHANNELS },
  PUNSUBSCRIBE: { role: 'subscribe', leftOut: CHANNELS },
  SUNSUBSCRIBE: { role: 'subscribe', leftOut: CHANNELS },
  PUBLISH: { reply: 'number', leftOut: CHANNELS },
  SPUBLISH: { leftOut: CHANNELS },
  PUBSUB: { leftOut: CHANNELS },
  WAIT: { syntax: 'nn', leftOut: BLOCKS },
  WAITAOF: { leftOut: BLOCKS },
  EVAL: { syntax: 'vn', leftOut: SCRIPTS },
  EVALSHA: { syntax: 'vn', leftOut: SCRIPTS },
  EVAL_RO: { syntax: 'vn', leftOut: SCRIPTS },
  EVALSHA_RO: { syntax: 'vn', leftOut: SCRIPTS },
  FCALL: { syntax: 'vn', leftOut: SCRIPTS },
  FCALL_RO: { syntax: 'vn', leftOut: SCRIPTS },
  SCRIPT: { leftOut: SCRIPTS },
  FUNCTION: { leftOut: SCRIPTS },
  WATCH: { reply: 'done', leftOut: WATCHED },
  UNWATCH: { reply: 'done', leftOut: WATCHED },
  MULTI: { role: 'multi', reply: 'done', leftOut: NOT_CARRIED_OUT },
  EXEC: { role: 'exec', reply: 'empty', leftOut: NOT_CARRIED_OUT },
  DISCARD: { role: 'discard', reply: 'done', leftOut: NOT_CARRIED_OUT },
  SCAN: { syntax: 'i|MATCH:v COUNT:n TYPE:v', leftOut: WHOLE_DATABASE },
  KEYS: { reply: 'all', leftOut: WHOLE_DATABASE },
  DBSIZE: { reply: 'number', leftOut: WHOLE_DATABASE },
  RANDOMKEY: { leftOut: WHOLE_DATABASE },
  FLUSHDB: { syntax: '|ASYNC SYNC', reply: 'done', leftOut: WHOLE_DATABASE },
  FLUSHALL: { syntax: '|ASYNC SYNC', reply: 'done', leftOut: WHOLE_DATABASE },
  SWAPDB: { syntax: 'nn', leftOut: WHOLE_DATABASE },
  COPY: { syntax: 'kk|REPLACE DB:n', reply: 'number' },
  RESTORE: { syntax: 'kav|REPLACE ABSTTL IDLETIME:n FREQ:n', reply: 'done' },
  SORT: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v STORE:k', reply: 'all' },
  SORT_RO: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v' },
  MOVE: { syntax: 'kn', reply: 'number' },
  'CLIENT REPLY': { syntax: '|ON OFF SKIP', isPrivate: false, role: 'reply' },
  'CLIENT TRACKING': { syntax: '|ON OFF BCAST OPTIN OPTOUT NOLOOP REDIRECT:a PREFIX:v', isPrivate: false },
  ACL: { isPrivate: true },
  CONFIG: { isPrivate: true },
  MIGRATE: { isPrivate: true },
  REPLCONF: { isPrivate: true },
  MONITOR: { role: 'monitor' },
  SYNC: { role: 'sync' },
  PSYNC: { role: 'sync' },
  RENAME: { reply: 'done' },
  RENAMENX: { reply: 'number' },
};
