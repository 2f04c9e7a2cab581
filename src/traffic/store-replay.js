import { parts } from '../core/alike.js';
import { messageOf } from '../core/errors.js';
import { bytesOf, isExpected, typeOf } from './expected-reply.js';

/** @import { Connection } from '../core/plugins/types.js' */
/** @import { RunWarning } from '../core/store/types.js' */
/** @import { createRecordedCommands, Grown, Recorded, Use } from './recorded-commands.js' */
/** @import { RedisCommand } from './types.js' */

/** @typedef {ReturnType<typeof createRecordedCommands>} Commands */

/**
 * Stores what reads need, and tries each command once: reads must reply as recorded, and none may fail.
 * @param {Connection} connection @param {Commands} commands
 * @returns {Promise<{remarks: RunWarning[], failing: Set<Recorded>}>}
 */
export async function prepareReplay(connection, commands) {
  const uses = commands.uses();
  const data = uses.flatMap((use) => (use.isRead ? use.data : []));
  await store(connection, data);
  /** @type {Map<string, number>} */
  const otherSize = new Map();
  /** @type {Map<string, string>} */
  const errors = new Map();
  /** @type {Set<Recorded>} */
  const failing = new Set();
  const byCommand = new Map(uses.map((use) => [use.recorded.command, use]));
  for await (const [command, reply] of repliesTo(connection, [...byCommand.keys()])) {
    const { recorded, isRead } = /** @type {Use} */ (byCommand.get(command));
    if (reply instanceof Error) {
      failing.add(recorded);
      errors.set(command[0], messageOf(reply));
    } else if (isRead && !isExpected(recorded.expected, reply)) {
      otherSize.set(command[0], (otherSize.get(command[0]) ?? 0) + 1);
      recorded.expected = { types: [typeOf(reply)], bytes: bytesOf(reply) };
    }
  }
  /** @type {RunWarning[]} */
  const remarks = [...errors].map(([command, why]) => ({ kind: 'not-replayed', command, why }));
  if (otherSize.size > 0) {
    remarks.push({ kind: 'other-sizes', all: uses.length, commands: Object.fromEntries(otherSize) });
  }
  return { failing, remarks };
}

/** @param {Connection} connection @param {RedisCommand[]} commands @returns {AsyncGenerator<[RedisCommand, unknown]>} */
async function* repliesTo(connection, commands) {
  for (const part of parts(commands, bytesOf)) {
    const replies = await sendAll(connection, part);
    for (const [index, command] of part.entries()) yield [command, replies[index]];
  }
}

/** @param {Connection} connection @param {RedisCommand[]} part @returns {Promise<unknown[]>} */
async function sendAll(connection, part) {
  try {
    return await connection.pipeline(part);
  } catch {
    // A client that drops the replies around an error is asked one by one.
    return Promise.all(
      part.map((command) => Promise.resolve(connection.command(command)).catch((error) => error)),
    );
  }
}

/** Elements stored for commands that take some away. */
const MOST_REFILLED = 1000;
const REFILL_BYTES = 20;

/** @type {Partial<Record<Grown['family'], (key: string, parts: string[]) => RedisCommand>>} */
const REFILLS = {
  string: (key, [part]) => ['SET', key, part],
  list: (key, parts) => ['RPUSH', key, ...parts],
  set: (key, parts) => ['SADD', key, ...parts],
  zset: (key, parts) => ['ZADD', key, ...parts.flatMap((part) => ['1', part])],
};

/**
 * Makes keys anew that runs extend or empty, so that each run finds the same.
 * @param {Connection} connection @param {Commands} commands
 * @param {{removal: string[], content: (bytes: number, place?: number) => string}} by `removal`: see OpenContext
 */
export async function resetGrown(connection, commands, { removal: [name, ...rest], content }) {
  const all = commands.grown().flatMap(({ key, family, taken, groups }) => {
    const parts = Array.from(
      { length: Math.min(MOST_REFILLED, taken) },
      (_, index) => `${index}.${content(REFILL_BYTES, index)}`,
    );
    const refill = parts.length > 0 ? REFILLS[family]?.(key, parts) : undefined;
    const remove = /** @type {RedisCommand} */ ([name, key, ...rest]);
    const makeGroups = [...groups].map(
      (group) => /** @type {RedisCommand} */ (['XGROUP', 'CREATE', key, group, '$', 'MKSTREAM']),
    );
    return [remove, ...(refill ? [refill] : []), ...makeGroups];
  });
  await store(connection, all);
}

/** @param {Connection} connection @param {RedisCommand[]} commands */
async function store(connection, commands) {
  for await (const [command, reply] of repliesTo(connection, commands)) {
    if (reply instanceof Error) throw new Error(`${command[0]} before the run failed: ${messageOf(reply)}`);
  }
}
