/** @import { EndLine, ProfileHeader } from '../../src/commands/traffic/types.js' */

/** @type {ProfileHeader} */
export const PROFILE_HEADER = {
  type: 'profile',
  profileVersion: 2,
  tool: { name: 'redis-pipe-bench', version: '0.1.0' },
  startedAt: '2026-11-22T06:00:00.000Z',
};

/** A shop in small: a cart in a hash, a session in a string, a queue that blocks, a transaction, a script. @type {any[][]} */
export const SAMPLE_COMMANDS = [
  [1000, 1, 'HELLO', [], ['%', 78, 7, 0], 210, 1, 1],
  [1900, 1, 'GET', [[0, 16]], ['_', 0], 80, 1, 1],
  [2100, 1, 'SET', [[0, 16], 240, 'EX', '1800'], ['+', 2], 90, 1, 1],
  [2500, 1, 'GET', [[0, 16]], ['$', 240], 75, 1, 1],
  [3000, 1, 'HSET', [[1, 9], 6, 1, 6, 2], [':', 1], 95, 1, 2],
  [3000, 1, 'EXPIRE', [[1, 9], '3600'], [':', 1], 96, 2, 3],
  [3100, 2, 'GET', [[2, 16]], ['$', 251], 70, 1, 1],
  [3400, 1, 'HGETALL', [[1, 9]], ['%', 15, 2, 0], 88, 1, 1],
  [
    4000,
    2,
    'MGET',
    [
      [0, 16],
      [2, 16],
      [3, 16],
    ],
    ['*', 491, 3, 1],
    99,
    1,
    1,
  ],
  [4400, 2, 'HINCRBY', [[1, 9], 6, -1], [':', 1], 71, 1, 1],
  [5000, 2, 'MULTI', [], ['+', 2], 60, 1, 3],
  [5000, 2, 'INCR', [[4, 11]], [':', 2], 66, 2, 4],
  [5000, 2, 'LPUSH', [[5, 5], 300], [':', 1], 66, 3, 5],
  [5000, 2, 'EXEC', [], ['*', 3, 2, 0], 66, 4, 6],
  [2000, 3, 'BRPOP', [[5, 5], '5'], ['*', 305, 2, 0], 3070, 1, 3],
  [5400, 1, 'LRANGE', [[6, 7], '0', '9'], ['*', 0, 0, 0], 65, 1, 1],
  [5500, 1, 'ZADD', [[7, 8], -13, 20], [':', 1], 65, 1, 1],
  [5600, 1, 'ZRANGE', [[7, 8], '0', '-1', 'REV', 'WITHSCORES'], ['*', 33, 2, 0], 65, 1, 1],
  [5700, 1, 'EVALSHA', [40, '1', [6, 7], 12], [':', 1], 65, 1, 1],
  [5800, 1, 'LPUSH', [[0, 16], 5], ['-', 'WRONGTYPE'], 65, 1, 1],
];

/** @type {EndLine} */
export const PROFILE_END = {
  type: 'end',
  atUs: 6000,
  reason: 'time',
  commands: SAMPLE_COMMANDS.length,
  dropped: 0,
  keysShared: false,
};

/** Every kind of line that a profile can have. */
export const SAMPLE_LINES = [
  PROFILE_HEADER,
  { type: 'open', atUs: 800, connection: 1 },
  { type: 'open', atUs: 900, connection: 2 },
  { type: 'open', atUs: 950, connection: 3 },
  ...SAMPLE_COMMANDS,
  ...[1, 2, 3].map((connection) => ({
    type: 'close',
    atUs: 6000,
    connection,
    pushes: 0,
    pushBytes: 0,
    unparsedBytes: 0,
  })),
  PROFILE_END,
];

/** @param {readonly unknown[]} lines @returns {string} the text of a profile */
export const profileText = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
