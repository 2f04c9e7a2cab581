import { createCallCounts } from '../call-counts.js';
import { isExpected, shapeText } from './expected-reply.js';
import { planReplay } from './plan-replay.js';
import { readProfile } from './read-profile.js';
import { createRecordedCommands } from './recorded-commands.js';
import { createRecordedOrder } from './recorded-order.js';
import { createContent, createReplayKeys } from './replay-content.js';
import { prepareReplay, resetGrown } from './store-replay.js';

/** @import { Commands, Connection, Cycle, OpenContext, OpenedWorkload, Step } from '../plugins/types.js' */
/** @import { Recorded } from './recorded-commands.js' */

/**
 * Each operation is one of the recorded commands, in the order in which the service sent them, over and over.
 * @param {string} file @param {OpenContext} context @returns {Promise<OpenedWorkload>}
 */
export async function openReplay(file, { keyPrefix, slots, part, removal }) {
  const keys = createReplayKeys({ prefix: keyPrefix, slots });
  const content = createContent();
  const commands = createRecordedCommands(keys, content);
  const plan = planReplay(commands.add);
  await readProfile(file, plan.line);
  plan.end();
  const all = commands.all();
  const order = createRecordedOrder(all, part);
  const recorded = all.map((each) => each.recorded);
  const { steps, cycle } = createReplaySteps(recorded, order.taken);
  const reset = (/** @type {Connection} */ connection) =>
    resetGrown(connection, commands, { removal, content });
  return {
    items: { next: order.next, restart: () => {}, all: () => [], keys: keys.all },
    steps,
    cycle,
    schedule: order.schedule,
    async store(connection) {
      // The trial must find what a run finds: the groups of streams.
      await reset(connection);
      const { remarks, failing } = await prepareReplay(connection, commands);
      const transactions = order.leaveOut(failing);
      await reset(connection);
      return transactions === 0 ? remarks : [...remarks, { kind: 'transactions-left-out', transactions }];
    },
    ...(commands.grown().length > 0 && { reset }),
  };
}

/** Commands with a latency of their own; each takes 50 kB of a worker, and a line of a report. */
const MOST_LABELS = 10;
const OTHERS = 'others';

/**
 * A step for each of the most frequent commands, and one for the rest.
 * @param {Recorded[]} all @param {() => Recorded} taken the latest item @returns {{steps: Step[], cycle: Cycle}}
 */
function createReplaySteps(all, taken) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const alone = names.length > MOST_LABELS + 1 ? names.slice(0, MOST_LABELS) : names;
  const labelOf = (/** @type {string} */ name) => (names.length > 1 ? name.toUpperCase() : undefined);
  const byName = new Map(alone.map((name) => [name, [createStep(labelOf(name))]]));
  const others = [createStep(OTHERS)];
  const isAll = alone.length === names.length;
  return {
    steps: [...[...byName.values()].flat(), ...(isAll ? [] : others)],
    cycle: {
      only: null,
      next: () => byName.get(taken().name) ?? others,
      position: () => 0,
      // Each step counts its own.
      commandsIn: () => ({}),
    },
  };
}

/** Sends the recorded command that is its item, and checks the shape of the reply. @param {string} [label] @returns {Step} */
function createStep(label) {
  const { count, take } = createCallCounts();
  return {
    command: 'profile',
    label,

    send(commands, item) {
      const recorded = /** @type {Recorded} */ (item);
      if (recorded.parts === null) {
        count(recorded.name);
        return sendOn(commands, recorded);
      }
      count('multi');
      for (const { name } of recorded.parts) count(name);
      count('exec');
      return commands.transaction(recorded.sent);
    },

    accept(reply, item) {
      const { expected, parts } = /** @type {Recorded} */ (item);
      return parts === null ? isExpected(expected, reply) : areExpected(parts, reply);
    },

    wrongText(reply, item) {
      const { command, expected, parts } = /** @type {Recorded} */ (item);
      return parts === null
        ? `${command[0]} replied ${shapeText(reply, expected)}`
        : wrongTransaction(parts, reply);
    },

    takeCalls: take,
  };
}

/** @param {Recorded[]} parts @param {unknown} reply */
const areExpected = (parts, reply) =>
  Array.isArray(reply) &&
  reply.length === parts.length &&
  parts.every(({ expected }, index) => isExpected(expected, reply[index]));

/** @param {Recorded[]} parts @param {unknown} reply */
function wrongTransaction(parts, reply) {
  if (!Array.isArray(reply) || reply.length !== parts.length) {
    const found = Array.isArray(reply) ? `${reply.length} replies` : String(reply);
    return `a transaction of ${parts.length} commands replied ${found}`;
  }
  const index = parts.findIndex(({ expected }, place) => !isExpected(expected, reply[place]));
  const { command, expected } = parts[index];
  return `${command[0]} in a transaction replied ${shapeText(reply[index], expected)}`;
}

/** By the method that an application would call. @param {Commands} commands @param {Recorded} recorded */
function sendOn(commands, { method, command, key, hash, value }) {
  if (method === 'get') return commands.get(key);
  if (method === 'set') return commands.set(key, value);
  if (method === 'command') return commands.command(command);
  return method === 'hset' ? commands.hset(key, hash, value) : commands[method](key);
}
