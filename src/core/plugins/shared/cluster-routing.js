import { getKeyIndexes, hasFlag } from '@ioredis/commands';
import calculateSlot from 'cluster-key-slot';
import { prefixOf } from '../../server/own-keys.js';
import { isKnown } from './own-command.js';

/** @import { Command } from '../types.js' */

/** @param {Command} command @returns {string | undefined} the key that decides its node; undefined if any node will do */
export function firstKey([name, ...args]) {
  // In an unknown command, keys of this tool are recognized by their prefix.
  if (!isKnown(name)) return args.find((arg) => prefixOf(String(arg)) !== null);
  const [index] = getKeyIndexes(name, args, { nameCaseInsensitive: true });
  return index === undefined ? undefined : args[index];
}

/** @param {Command} command @returns {boolean} whether a replica may answer it */
export const onlyReads = ([name]) =>
  isKnown(name) && hasFlag(name, 'readonly', { nameCaseInsensitive: true });

/** @param {Command[]} commands whose keys are in one slot */
export function keyAmong(commands) {
  for (const command of commands) {
    const key = firstKey(command);
    if (key !== undefined) return key;
  }
  return undefined;
}

/**
 * Splits a batch by node, as an application must if its client does not.
 * @template Node @param {Command[]} commands @param {(slot: number) => Node} nodeOf
 * @param {(commands: Command[], key: string | undefined) => Promise<unknown[]>} send `key`: any key of the part
 */
export async function pipelineByNode(commands, nodeOf, send) {
  const keys = commands.map(firstKey);
  return sendInParts(
    commands,
    (_, position) => (keys[position] === undefined ? undefined : nodeOf(calculateSlot(keys[position]))),
    (part, [position]) => send(part, keys[position]),
  );
}

/**
 * Sends all parts at once and puts the replies in the order of `all`.
 * @template Each, Place @param {Each[]} all @param {(each: Each, position: number) => Place} placeOf
 * @param {(part: Each[], positions: number[]) => Promise<any> | undefined} send resolves to a reply for each
 */
export async function sendInParts(all, placeOf, send) {
  /** @type {Map<Place, {part: Each[], positions: number[]}>} */
  const parts = new Map();
  for (const [position, each] of all.entries()) {
    const place = placeOf(each, position);
    const known = parts.get(place) ?? { part: [], positions: [] };
    known.part.push(each);
    known.positions.push(position);
    parts.set(place, known);
  }
  /** @type {unknown[]} */
  const replies = new Array(all.length);
  await Promise.all(
    [...parts.values()].map(async ({ part, positions }) => {
      const own = await send(part, positions);
      for (const [index, position] of positions.entries()) replies[position] = own?.[index];
    }),
  );
  return replies;
}
