import { COLLECTION_COMMANDS } from './collection-commands.js';
import { GEO_COMMANDS } from './geo-commands.js';
import { OTHER_COMMANDS } from './other-commands.js';
import { SORTED_COMMANDS } from './sorted-commands.js';
import { STREAM_COMMANDS } from './stream-commands.js';
import { STRING_COMMANDS } from './string-commands.js';

/** @import { CommandRow, LeftOutReason } from '../types.js' */

/** A command without a row is recorded with its values as sizes, and left out of replays. @type {Map<string, CommandRow>} */
export const COMMANDS = new Map(
  Object.entries({
    ...STRING_COMMANDS,
    ...COLLECTION_COMMANDS,
    ...SORTED_COMMANDS,
    ...GEO_COMMANDS,
    ...STREAM_COMMANDS,
    ...OTHER_COMMANDS,
  }),
);

/** @type {CommandRow} */
const NOTHING_KNOWN = {};

/** @param {string} name in capitals, with its subcommand @returns {CommandRow} */
export const rowOf = (name) => COMMANDS.get(name) ?? NOTHING_KNOWN;

/** @param {string} name in capitals, with its subcommand @returns {LeftOutReason} */
export const reasonToLeaveOut = (name) => rowOf(name.split(' ')[0]).leftOut ?? 'unknown';
