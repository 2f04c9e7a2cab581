import { createChecks, text, whole } from '../core/check.js';
import {
  MOST_ARGUMENTS,
  MOST_BYTES,
  MOST_COMMANDS,
  MOST_CONNECTIONS,
  MOST_KEYS,
  MOST_US,
  PROFILE_VERSION,
} from './format.js';

/** Words of the language of check.js. */
const KINDS = {
  us: whole(0, MOST_US),
  connection: whole(1, MOST_CONNECTIONS),
  commands: whole(0, MOST_COMMANDS),
  inFlight: whole(1, MOST_COMMANDS),
  bytes: whole(0, MOST_BYTES),
  version: whole(PROFILE_VERSION, PROFILE_VERSION),
  release: text(/^\d+\.\d+\.\d+[-+.a-z0-9]{0,30}$/),
  command: text(/^[A-Z][A-Z.]{0,30}[A-Z0-9_-]{0,10}( [A-Z-]{1,24})?$/),
  key: whole(0, MOST_KEYS - 1),
  sizeOrScore: whole(-64, MOST_BYTES),
  word: text(/^([A-Z]{1,20}|-?\d{1,10}|[-+*$>~=]|[-+]INF|0-0)$/),
  replyType: text(/^[+:$_*%~#,(=-]$/),
  errorWord: text(/^[A-Z]{1,20}$/),
};

const SHAPES = {
  ...KINDS,
  Profile: {
    type: "'profile'",
    profileVersion: 'version',
    tool: { name: "'redis-pipe-bench'", version: 'release', '*': 'never' },
    startedAt: 'time',
    '*': 'never',
  },
  Open: { type: "'open'", atUs: 'us', connection: 'connection', '*': 'never' },
  Close: {
    type: "'close'",
    atUs: 'us',
    connection: 'connection',
    pushes: 'count',
    pushBytes: 'count',
    unparsedBytes: 'count',
    '*': 'never',
  },
  End: {
    type: "'end'",
    atUs: 'us',
    reason: "'time'|'interrupted'|'full'|'most'",
    commands: 'commands',
    dropped: 'count',
    keysShared: 'flag',
    '*': 'never',
  },
  Key: ['key', 'bytes'],
  /** An error has a word instead of a size; only aggregates have members. */
  Reply: ['replyType', 'count|errorWord', 'bytes', 'bytes', 2],
  /** The number and the bytes of further arguments. */
  Rest: ['bytes', 'count'],
};

const check = createChecks(() => SHAPES);
const LINES = new Map([
  ['profile', check('Profile')],
  ['open', check('Open')],
  ['close', check('Close')],
  ['end', check('End')],
]);
const commandError = check([
  ...['us', 'connection', 'command'],
  ['Key|sizeOrScore|word', MOST_ARGUMENTS],
  ...['Reply?', 'us?', 'inFlight', 'inFlight', 'Rest'],
  8,
]);

/** @param {any} line of a profile @returns {string | null} its error */
export function profileLineError(line) {
  if (Array.isArray(line)) return commandError(line) ?? replyError(line[4]);
  const lineError = LINES.get(line?.type);
  return lineError
    ? lineError(line)
    : `expected a line of type ${[...LINES.keys()].join(', ')}, or a command`;
}

/** An error has a word instead of a size; only aggregates have members. @param {any} reply that fits the schema */
function replyError(reply) {
  if (reply === null) return null;
  const [type, size] = reply;
  if ((type === '-') !== (typeof size === 'string')) return `4/1 does not go with a reply of type '${type}'`;
  if (reply.length !== ('*%~'.includes(type) ? 4 : 2)) {
    return `4 has ${reply.length} values, which a reply of type '${type}' has not`;
  }
  return null;
}
