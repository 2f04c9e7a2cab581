import { createChecks, exactly, integer } from '../core/schemas.js';
import {
  MOST_ARGUMENTS,
  MOST_BYTES,
  MOST_COMMANDS,
  MOST_CONNECTIONS,
  MOST_KEYS,
  MOST_US,
  PROFILE_VERSION,
} from './format.js';

const atUs = integer(MOST_US);
const connection = integer(MOST_CONNECTIONS, 1);
const bytes = integer(Number.MAX_SAFE_INTEGER);
const count = integer(MOST_COMMANDS);

/** @param {object[]} items the last ones may be missing @param {number} [fewest] */
const tuple = (items, fewest = items.length) => ({
  type: 'array',
  items,
  minItems: fewest,
  maxItems: items.length,
  additionalItems: false,
});

/** One schema with several types is checked far faster than `anyOf`. */
const argument = {
  ...tuple([integer(MOST_KEYS - 1), integer(MOST_BYTES)]),
  type: ['integer', 'string', 'array'],
  minimum: -64,
  maximum: MOST_BYTES,
  pattern: '^([A-Z]{1,20}|-?\\d{1,10}|[-+*$>~=]|[-+]INF|0-0)$',
};

const reply = {
  ...tuple(
    [
      { enum: [...'+:$_*%~#,(=-'] },
      { type: ['integer', 'string'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER, pattern: '^[A-Z]{1,20}$' },
      integer(MOST_BYTES),
      integer(MOST_BYTES),
    ],
    2,
  ),
  type: ['array', 'null'],
};

const underWay = integer(MOST_COMMANDS, 1);

const LINE_SCHEMAS = {
  profile: exactly({
    type: { const: 'profile' },
    profileVersion: { const: PROFILE_VERSION },
    tool: exactly({
      name: { const: 'redis-pipe-bench' },
      version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+[-+.a-z0-9]{0,30}$' },
    }),
    startedAt: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
  }),
  open: exactly({ type: { const: 'open' }, atUs, connection }),
  close: exactly({
    type: { const: 'close' },
    atUs,
    connection,
    pushes: bytes,
    pushBytes: bytes,
    unparsedBytes: bytes,
  }),
  end: exactly({
    type: { const: 'end' },
    atUs,
    reason: { enum: ['time', 'interrupted', 'full', 'most'] },
    commands: count,
    dropped: bytes,
    keysShared: { type: 'boolean' },
  }),
};

const COMMAND_SCHEMA = tuple(
  [
    atUs,
    connection,
    { type: 'string', pattern: '^[A-Z][A-Z.]{0,30}[A-Z0-9_-]{0,10}( [A-Z-]{1,24})?$' },
    { type: 'array', items: argument, maxItems: MOST_ARGUMENTS },
    reply,
    { type: ['integer', 'null'], minimum: 0, maximum: MOST_US },
    underWay,
    underWay,
    tuple([integer(MOST_BYTES), bytes]),
  ],
  8,
);

// Without strictTuples, the last places may be missing.
const validator = createChecks({ options: { strictTuples: false } });

const validCommand = validator(COMMAND_SCHEMA);
const validLines = new Map(Object.entries(LINE_SCHEMAS).map(([type, schema]) => [type, validator(schema)]));

/** @param {any} line of a profile @returns {string | null} its error */
export function profileLineError(line) {
  if (Array.isArray(line)) return validCommand(line) ?? replyError(line[4]);
  const valid = validLines.get(line?.type);
  return valid ? valid(line) : `expected a line of type ${[...validLines.keys()].join(', ')}, or a command`;
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
