import { alike, atPlace, replayed, someString, string } from './row-parts.js';

/** @import { CommandRow, ReadUse, RedisCommand } from '../types.js' */

/** @param {ReadUse} use @returns {RedisCommand[]} a type whose name has that length */
function typed({ keys: [key], reply: [, bytes] }) {
  if (bytes === 3) return [['SADD', key, 'x']];
  return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
}

/** Keys of any type, connections, channels, scripts, transactions and the server. @type {Record<string, CommandRow>} */
export const OTHER_COMMANDS = {
  ...replayed('plain', 'any', { PING: { reply: 'pong' }, ECHO: { reply: 'one' }, TIME: { varies: true } }),
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
    ...alike('EXPIREAT PEXPIREAT', { syntax: 'ka|NX XX GT LT', reply: 'number', isLarge: atPlace(1) }),
  }),
  AUTH: { isPrivate: true, reply: 'done', leftOut: 'set-up' },
  HELLO: { isPrivate: true, leftOut: 'set-up' },
  SELECT: { syntax: 'n', reply: 'done', leftOut: 'set-up' },
  CLIENT: { isPrivate: true, leftOut: 'set-up' },
  RESET: { role: 'reset', leftOut: 'set-up' },
  ...alike('QUIT READONLY READWRITE ASKING COMMAND INFO', { leftOut: 'set-up' }),
  ...alike('SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE', {
    role: 'subscribe',
    leftOut: 'channels',
  }),
  PUBLISH: { reply: 'number', leftOut: 'channels' },
  ...alike('SPUBLISH PUBSUB', { leftOut: 'channels' }),
  WAIT: { syntax: 'nn', leftOut: 'blocks' },
  WAITAOF: { leftOut: 'blocks' },
  ...alike('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO', { syntax: 'vn', leftOut: 'scripts' }),
  ...alike('SCRIPT FUNCTION', { leftOut: 'scripts' }),
  ...alike('WATCH UNWATCH', { reply: 'done', leftOut: 'watched' }),
  MULTI: { role: 'multi', reply: 'done', leftOut: 'not-carried-out' },
  EXEC: { role: 'exec', reply: 'empty', leftOut: 'not-carried-out' },
  DISCARD: { role: 'discard', reply: 'done', leftOut: 'not-carried-out' },
  SCAN: { syntax: 'i|MATCH:v COUNT:n TYPE:v', leftOut: 'whole-database' },
  KEYS: { reply: 'all', leftOut: 'whole-database' },
  DBSIZE: { reply: 'number', leftOut: 'whole-database' },
  RANDOMKEY: { leftOut: 'whole-database' },
  ...alike('FLUSHDB FLUSHALL', { syntax: '|ASYNC SYNC', reply: 'done', leftOut: 'whole-database' }),
  SWAPDB: { syntax: 'nn', leftOut: 'whole-database' },
  COPY: { syntax: 'kk|REPLACE DB:n', reply: 'number' },
  RESTORE: { syntax: 'kav|REPLACE ABSTTL IDLETIME:n FREQ:n', reply: 'done' },
  SORT: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v STORE:k', reply: 'all' },
  SORT_RO: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v' },
  MOVE: { syntax: 'kn', reply: 'number' },
  'CLIENT REPLY': { isPrivate: true, role: 'reply' },
  ...alike('ACL CONFIG MIGRATE REPLCONF', { isPrivate: true }),
  MONITOR: { role: 'monitor' },
  ...alike('SYNC PSYNC', { role: 'sync' }),
  RENAME: { reply: 'done' },
  RENAMENX: { reply: 'number' },
};
