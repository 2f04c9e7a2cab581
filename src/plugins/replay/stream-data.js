import { shares } from './reply-amounts.js';

/**
 * @import { CommandLine } from '../../traffic/types.js'
 * @import { Command, ReadUse } from './types.js'
 */

/** The first part of an entry's id is a time in milliseconds: as long as today's. */
const FIRST_ID = 1_700_000_000_000;
const ID_BYTES = `${FIRST_ID}-0`.length;
const FIELD = 'f';
/** Of one key, whatever a recording says. */
const MOST_ENTRIES = 1000;

/**
 * A reply tells its bytes and not its entries, so that these are as large as the recording adds them, on average.
 */
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

    /** @param {Pick<CommandLine, 'name'>} line @returns {number} bytes of an entry in a reply; 0 where none was added */
    of: ({ name }) => (name !== 'XREAD' || added === 0 ? 0 : ID_BYTES + bytes / added),
  };
}

/**
 * @param {Pick<ReadUse, 'keys' | 'content'>} use
 * @param {number[]} sizes of entries
 * @returns {Command[]}
 */
export const entriesOf = ({ keys: [key], content }, sizes) =>
  sizes.map((bytes, index) => [
    'XADD',
    key,
    `${FIRST_ID + index}-0`,
    FIELD,
    content(Math.max(0, bytes - ID_BYTES - FIELD.length), index),
  ]);

/**
 * What XREAD finds: each stream that the reply had, with as many bytes.
 *
 * @param {ReadUse} use
 * @returns {Command[]}
 */
export function readStreams({ keys, args, reply, content, entryBytes }) {
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
