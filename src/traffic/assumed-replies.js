import { rowOf } from './commands/all-commands.js';
import { MOST_KEYS } from './format.js';

/** @import { Argument, CommandRow, ReplyShape } from './types.js' */

/** MONITOR shows no replies. `members`: of a whole hash, list or set; `mostMembers`: of a range. */
export const ASSUMED = { valueBytes: 100, members: 10, mostMembers: 100 };

/** @returns {(name: string, args: Argument[]) => ReplyShape} */
export function createAssumptions() {
  /** By key, plus one: 0 means never written. */
  const sizes = new Uint32Array(MOST_KEYS);

  /** @param {Argument | undefined} argument */
  const sizeOf = (argument) =>
    (Array.isArray(argument) && sizes[argument[0]] > 0 ? sizes[argument[0]] : ASSUMED.valueBytes + 1) - 1;

  /** @param {Argument} key @param {Argument | undefined} value */
  function remember(key, value) {
    if (Array.isArray(key) && typeof value === 'number') sizes[key[0]] = Math.abs(value) + 1;
  }

  /** @type {Record<NonNullable<CommandRow['reply']>, (args: Argument[]) => ReplyShape>} */
  const replies = {
    done: () => ['+', 2],
    pong: () => ['+', 4],
    number: () => [':', 1],
    value: ([key]) => ['$', sizeOf(key)],
    values: (keys) => listOf(keys.map(sizeOf)),
    one: () => ['$', ASSUMED.valueBytes],
    each: ([, ...members]) => membersOf(members.length),
    range: (args) => membersOf(asked(args)),
    all: () => membersOf(ASSUMED.members),
    pairs: () => membersOf(2 * ASSUMED.members),
    empty: () => membersOf(0),
  };

  return (name, args) => {
    const { reply, valueAt } = rowOf(name);
    const assumed = reply === undefined ? null : replies[reply](args);
    if (valueAt === 'pairs') for (const [index, each] of args.entries()) remember(each, args[index + 1]);
    else if (valueAt !== undefined) remember(args[0], args[valueAt]);
    return assumed;
  };
}

/** @param {number} members @returns {ReplyShape} */
const membersOf = (members) => listOf(Array(members).fill(ASSUMED.valueBytes));

/** @param {number[]} sizes @returns {ReplyShape} */
const listOf = (sizes) => ['*', sizes.reduce((sum, each) => sum + each, 0), sizes.length, 0];

/** @param {Argument[]} args of a range @returns {number} members */
function asked([, from, to]) {
  const [first, last] = [Number(from), Number(to)];
  const isRange = typeof from === 'string' && typeof to === 'string' && first >= 0 && last >= first;
  return isRange ? Math.min(ASSUMED.mostMembers, last - first + 1) : ASSUMED.members;
}
