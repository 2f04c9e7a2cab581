import { alike, atPlace, replayed, someString, string } from './row-parts.js';

/** @import { CommandRow, ReadUse, RedisCommand } from '../types.js' */

/** @param {ReadUse} use @returns {RedisCommand[]} a type whose name has that length */
function typed({ keys: [key], reply: [, bytes] }) {
  if (bytes === 3) return [['SADD', key, 'x']];
  return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
}

/** Keys of any type, connections, channels, scripts, transactions and the server. @type {Record<string, CommandRow>} */
export const OTHER_COMMANDS = {
  ...replayed('plain', 'any', { PING: {}, ECHO: {}, TIME: { varies: true } }),
  ...replayed('read', 'any', {
    EXISTS: { method: ['exists', 1], data: someString },
    TYPE: { data: typed },
    ...alike('TTL PTTL TOUCH', { data: someString }),
    ...alike('EXPIRETIME PEXPIRETIME', { data: someString }),
  }),
  ...replayed('write', 'any', {
    DEL: { method: ['del', 1] },
    ...alike('UNLINK PERSIST', {}),
    ...alike('EXPIRE PEXPIRE', { syntax: 'kn|NX XX GT LT' }),
    ...alike('EXPIREAT PEXPIREAT', { syntax: 'ka|NX XX GT LT', isLarge: atPlace(1) }),
  }),
  AUTH: { isPrivate: true, leftOut: 'set-up' },
  HELLO: { isPrivate: true, leftOut: 'set-up' },
  SELECT: { syntax: 'n', leftOut: 'set-up' },
  CLIENT: { isPrivate: true, leftOut: 'set-up' },
  RESET: { role: 'reset', leftOut: 'set-up' },
  ...alike('QUIT READONLY READWRITE ASKING COMMAND INFO', { leftOut: 'set-up' }),
  ...alike('SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE', {
    role: 'subscribe',
    leftOut: 'channels',
  }),
  PUBLISH: { leftOut: 'channels' },
  ...alike('SPUBLISH PUBSUB', { leftOut: 'channels' }),
  WAIT: { syntax: 'nn', leftOut: 'blocks' },
  WAITAOF: { leftOut: 'blocks' },
  ...alike('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO', { syntax: 'vn', leftOut: 'scripts' }),
  ...alike('SCRIPT FUNCTION', { leftOut: 'scripts' }),
  ...alike('WATCH UNWATCH', { leftOut: 'watched' }),
  MULTI: { role: 'multi', leftOut: 'not-carried-out' },
  EXEC: { role: 'exec', leftOut: 'not-carried-out' },
  DISCARD: { role: 'discard', leftOut: 'not-carried-out' },
  SCAN: { syntax: 'i|MATCH:v COUNT:n TYPE:v', leftOut: 'whole-database' },
  KEYS: { leftOut: 'whole-database' },
  DBSIZE: { leftOut: 'whole-database' },
  RANDOMKEY: { leftOut: 'whole-database' },
  ...alike('FLUSHDB FLUSHALL', { syntax: '|ASYNC SYNC', leftOut: 'whole-database' }),
  SWAPDB: { syntax: 'nn', leftOut: 'whole-database' },
  COPY: { syntax: 'kk|REPLACE DB:n' },
  RESTORE: { syntax: 'kav|REPLACE ABSTTL IDLETIME:n FREQ:n' },
  SORT: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v STORE:k' },
  SORT_RO: { syntax: 'k|ASC DESC ALPHA BY:v LIMIT:nn GET:v' },
  MOVE: { syntax: 'kn' },
  'CLIENT REPLY': { isPrivate: true, role: 'reply' },
  ...alike('ACL CONFIG MIGRATE REPLCONF', { isPrivate: true }),
  MONITOR: { role: 'monitor' },
  ...alike('SYNC PSYNC', { role: 'sync' }),
};
