import { alike, bytesIn, membersIn, replayed, shares } from './row-parts.js';

/** @import { CommandLine, CommandRow, ReadUse, RedisCommand } from '../types.js' */

/** Milliseconds, with as many digits as today. */
const FIRST_ID = 1_700_000_000_000;
const ID_BYTES = `${FIRST_ID}-0`.length;
const FIELD = 'f';
const MOST_ENTRIES = 1000;

/** Replies are recorded by bytes, not entries: so entries get the average size that the recording adds. */
export function createEntrySizes() {
  let bytes = 0;
  let added = 0;
  return {
    /** @param {CommandLine} line */
    note({ name, args }) {
      if (name !== 'XADD') return;
      added++;
      for (const arg of args.slice(1)) bytes += typeof arg === 'number' ? Math.max(0, arg) : 0;
    },

    /** @returns {number} bytes; 0 if none was added */
    average: () => (added === 0 ? 0 : ID_BYTES + bytes / added),
  };
}

/** @param {Pick<ReadUse, 'keys' | 'content'>} use @param {number[]} sizes of entries @returns {RedisCommand[]} */
const entriesOf = ({ keys: [key], content }, sizes) =>
  sizes.map((bytes, index) => [
    'XADD',
    key,
    `${FIRST_ID + index}-0`,
    FIELD,
    content(Math.max(0, bytes - ID_BYTES - FIELD.length), index),
  ]);

/** @param {ReadUse} use */
const stream = (use) => entriesOf(use, shares(bytesIn(use), membersIn(use)));

/** @param {ReadUse} use @returns {RedisCommand[]} */
function severalStreams({ keys, args, reply, content, entryBytes }) {
  const [, bytes, members = 0] = /** @type {any[]} */ (reply);
  const streams = keys.slice(0, members);
  const rest = bytes - streams.reduce((sum, key) => sum + key.length, 0);
  const at = args.indexOf('COUNT');
  const most = Math.max(1, Math.min(MOST_ENTRIES, at === -1 ? MOST_ENTRIES : Number(args[at + 1]) || 1));
  return shares(Math.max(0, rest), streams.length).flatMap((ofStream, index) => {
    const entries = entryBytes === 0 ? 1 : Math.round(ofStream / entryBytes);
    return entriesOf(
      { keys: [streams[index]], content },
      shares(ofStream, Math.max(1, Math.min(most, entries))),
    );
  });
}

/** @type {CommandRow['unblocked']} */
const withoutBlock = ({ name, args, reply }) => {
  const at = args.indexOf('BLOCK');
  return { name, args: [...args.slice(0, at), ...args.slice(at + 2)], reply };
};

/** A replay always reads streams from their beginning. @type {CommandRow['sentAs']} */
const fromBeginning = (texts, keys) => [
  ...texts.slice(0, texts.length - keys.length),
  ...keys.map(() => '0'),
];

/** @type {Record<string, CommandRow>} */
export const STREAM_COMMANDS = {
  ...replayed('read', 'stream', {
    XLEN: { data: stream },
    ...alike('XRANGE XREVRANGE', { syntax: 'kii|COUNT:n', data: stream }),
    XREAD: {
      syntax: '|COUNT:n BLOCK:n STREAMS:! +i',
      data: severalStreams,
      unblocked: withoutBlock,
      blocksBy: 'BLOCK',
      sentAs: fromBeginning,
    },
  }),
  ...replayed('write', 'stream', {
    XADD: {
      syntax: 'k|NOMKSTREAM MAXLEN:~n MINID:~i LIMIT:n +iv',
      grows: true,
    },
    XTRIM: { syntax: 'k|MAXLEN:~n MINID:~i LIMIT:n' },
    XDEL: { syntax: 'k|+a' },
    XACK: { syntax: 'kv|+a' },
    XREADGROUP: {
      syntax: 'wvv|COUNT:n BLOCK:n NOACK STREAMS:! +i',
      grows: true,
      mayReply: ['members', 'null'],
      unblocked: withoutBlock,
      blocksBy: 'BLOCK',
      groupAt: 2,
    },
  }),
  XGROUP: { leftOut: 'groups' },
};
