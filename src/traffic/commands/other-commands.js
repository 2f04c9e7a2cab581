import { alike, BLOCKS, replayed, someString, string } from './row-parts.js';

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
    ...alike('TTL PTTL TOUCH', { reply: 'number', data: someString }),
    ...alike('EXPIRETIME PEXPIRETIME', { data: someString }),
  }),
  ...replayed('write', 'any', {
    DEL: { reply: 'number', method: ['del', 1] },
    ...alike('UNLINK PERSIST', { reply: 'number' }),
    ...alike('EXPIRE PEXPIRE', { syntax: 'kn|NX XX GT LT', reply: 'number' }),
    ...alike('EXPIREAT PEXPIREAT', { syntax: 'ka|NX XX GT LT', reply: 'number', isLarge: isTime }),
  }),
  AUTH: { isPrivate: true, reply: 'done', leftOut: SET_UP },
  HELLO: { isPrivate: true, leftOut: SET_UP },
  SELECT: { syntax: 'n', reply: 'done', leftOut: SET_UP },
  CLIENT: { isPrivate: true, leftOut: SET_UP },
  RESET: { role: 'reset', leftOut: SET_UP },
  ...alike('QUIT READONLY READWRITE ASKING COMMAND INFO', { leftOut: SET_UP }),
  ...alike('SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE', {
    role: 'subscribe',
    leftOut: CHANNELS,
  }),
  PUBLISH: { reply: 'number', leftOut: CHANNELS },
  ...alike('SPUBLISH PUBSUB', { leftOut: CHANNELS }),
  WAIT: { syntax: 'nn', leftOut: BLOCKS },
  WAITAOF: { leftOut: BLOCKS },
  ...alike('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO', { syntax: 'vn', leftOut: SCRIPTS }),
  ...alike('SCRIPT FUNCTION', { leftOut: SCRIPTS }),
  ...alike('WATCH UNWATCH', { reply: 'done', leftOut: WATCHED }),
  MULTI: { role: 'multi', reply: 'done', leftOut: NOT_CARRIED_OUT },
  EXEC: { role: 'exec', reply: 'empty', leftOut: NOT_CARRIED_OUT },
  DISCARD: { role: 'discard', reply: 'done', leftOut: NOT_CARRIED_OUT },
  SCAN: { syntax: 'i|MATCH:v COUNT:n TYPE:v', leftOut: WHOLE_DATABASE },
  KEYS: { reply: 'all', leftOut: WHOLE_DATABASE },
  DBSIZE: { reply: 'number', leftOut: WHOLE_DATABASE },
  RANDOMKEY: { leftOut: WHOLE_DATABASE },
  ...alike('FLUSHDB FLUSHALL', { syntax: '|ASYNC SYNC', reply: 'done', leftOut: WHOLE_DATABASE }),
  SWAPDB: { syntax: 'nn', leftOut: WHOLE_DATABASE },
  COPY: { syntax: 'kk|REPLACE DB:n', reply: 'number' },
  RESTORE: { syntax: 'kav|REPLACE ABSTTL IDLETIME:n FREQ:n', reply: 'done' },
  SORT: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v STORE:k', reply: 'all' },
  SORT_RO: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v' },
  MOVE: { syntax: 'kn', reply: 'number' },
  'CLIENT REPLY': { syntax: '|ON OFF SKIP', isPrivate: false, role: 'reply' },
  'CLIENT TRACKING': { syntax: '|ON OFF BCAST OPTIN OPTOUT NOLOOP REDIRECT:a PREFIX:v', isPrivate: false },
  ...alike('ACL CONFIG MIGRATE REPLCONF', { isPrivate: true }),
  MONITOR: { role: 'monitor' },
  ...alike('SYNC PSYNC', { role: 'sync' }),
  RENAME: { reply: 'done' },
  RENAMENX: { reply: 'number' },
};
