import { getKeyIndexes, hasFlag } from '@ioredis/commands';
import calculateSlot from 'cluster-key-slot';
import { prefixOf } from '../../own-keys.js';
import { isKnown } from './own-command.js';

/** @import { Command } from '../types.js' */

/**
 * @param {Command} command
 * @returns {string | undefined} the key that decides its node; undefined if any node will do
 */
export function firstKey([name, ...args]) {
  // Of a command that is in no list, this tool's own keys are known by how they begin.
  if (!isKnown(name)) return args.find((arg) => prefixOf(String(arg)) !== null);
  const [index] = getKeyIndexes(name, args, { nameCaseInsensitive: true });
  return index === undefined ? undefined : args[index];
}

/** @param {Command} command @returns {boolean} whether a replica may answer it */
export const onlyReads = ([name]) =>
  isKnown(name) && hasFlag(name, 'readonly', { nameCaseInsensitive: true });

/** @param {Command[]} commands whose keys are in one slot @returns {string | undefined} one of their keys */
export function keyAmong(commands) {
  for (const command of commands) {
    const key = firstKey(command);
    if (key !== undefined) return key;
  }
  return undefined;
}

/**
 * Splits a batch by the node that each command is for, sends the parts at once, and puts the replies in the
 * order of the commands, as an application must if its client does not.
 * @template Node
 * @param {Command[]} commands @param {(slot: number) => Node} nodeOf
 * @param {(commands: Command[], key: string | undefined) => Promise<unknown[]>} send `key`: any key of the
 *   part
 * @returns {Promise<unknown[]>}
 */
export async function pipelineByNode(commands, nodeOf, send) {
  /** @type {Map<Node | undefined, {key: string | undefined, commands: Command[], positions: number[]}>} */
  const parts = new Map();
  for (const [position, command] of commands.entries()) {
    const key = firstKey(command);
    const node = key === undefined ? undefined : nodeOf(calculateSlot(key));
    const part = parts.get(node) ?? { key, commands: [], positions: [] };
    part.commands.push(command);
    part.positions.push(position);
    parts.set(node, part);
  }
  /** @type {unknown[]} */
  const replies = new Array(commands.length);
  await Promise.all(
    [...parts.values()].map(async (part) => {
      for (const [index, reply] of (await send(part.commands, part.key)).entries()) {
        replies[part.positions[index]] = reply;
      }
    }),
  );
  return replies;
}
