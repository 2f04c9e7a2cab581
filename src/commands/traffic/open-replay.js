import { batches, mustGet } from '../../collections.js';
import { messageOf } from '../../errors.js';
import { createCallCounts } from '../../plugins/shared/call-counts.js';
import { assertParent } from '../../process/answer-requests.js';
import { planReplay } from './plan-replay.js';
import { readProfile } from './read-profile.js';
import {
  bytesOf,
  createContent,
  createRecordedCommands,
  createReplayKeys,
  isExpected,
  shapeText,
  typeOf,
} from './recorded-commands.js';

/** @import { Commands, Connection, Cycle, Item, OpenContext, OpenedWorkload, Step } from '../../plugins/types.js' */
/** @import { RunWarning } from '../../store/types.js' */
/** @import { Grown, Recorded, Use } from './recorded-commands.js' */
/** @import { RedisCommand } from './types.js' */
/** @import { Part, Schedule } from '../../worker/types.js' */

/**
 * Each operation is one of the recorded commands, in the order in which the service sent them, over and over.
 * @param {string} file
 * @param {OpenContext} context @returns {Promise<OpenedWorkload>}
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
  const { steps, cycle } = createReplaySteps(
    all.map(({ recorded }) => recorded),
    order.taken,
  );
  /** Makes keys anew that runs extend or empty, so that each run finds the same. @param {Connection} connection */
  const reset = (connection) =>
    store(
      connection,
      commands.grown().flatMap((grown) => remaking(grown, removal, content)),
    );
  return {
    items: {
      next: order.next,
      last: () => [],
      restart: () => {},
      /** @returns {Item[]} */
      all: () => [],
      keys: keys.all,
    },
    steps,
    cycle,
    schedule: order.schedule,
    async store(connection) {
      // The trial must find what a run finds: the groups of streams.
      await reset(connection);
      const { remarks, failing } = await prepareReplay(connection, commands.uses());
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
  const { count, take } = createCallCounts();
  for (const { name } of all) count(name);
  const names = Object.entries(take()).sort(([, one], [, other]) => other - one);
  const byName = new Map(
    names
      .slice(0, MOST_LABELS)
      .map(([name]) => [name, [createStep(names.length > 1 ? name.toUpperCase() : undefined)]]),
  );
  const others = [createStep(OTHERS)];
  return {
    steps: [...[...byName.values()].flat(), ...(names.length > MOST_LABELS ? others : [])],
    cycle: {
      only: null,
      next: () => byName.get(taken().name) ?? others,
      position: () => 0,
      // Each step counts its own.
      commandsIn: () => ({}),
    },
  };
}

/** Every item of a replay is one. @param {Item} item */
const recordedIn = (item) => /** @type {Recorded} */ (item);

/** Sends the recorded command that is its item, and checks the shape of the reply. @type {(label?: string) => Step} */
function createStep(label) {
  const { count, take } = createCallCounts();
  return {
    command: 'profile',
    label,

    send(commands, item) {
      const recorded = recordedIn(item);
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
      const { expected, parts } = recordedIn(item);
      if (parts === null) return isExpected(expected, reply);
      if (!Array.isArray(reply) || reply.length !== parts.length) return false;
      return parts.every((each, index) => isExpected(each.expected, reply[index]));
    },

    wrongText(reply, item, excerpt) {
      const { command, expected, parts } = recordedIn(item);
      if (parts === null) return `${command[0]} replied ${shapeText(reply, expected)}`;
      return `a transaction replied ${excerpt(reply)}`;
    },

    takeCalls: take,
  };
}

/** @param {Commands} commands @param {Recorded} recorded */
function sendOn(commands, { method, command, key, hash, value }) {
  if (method === 'get') return commands.get(key);
  if (method === 'set') return commands.set(key, value);
  if (method === 'command') return commands.command(command);
  return method === 'hset' ? commands.hset(key, hash, value) : commands[method](key);
}

/**
 * Which command each operation takes, and when. Starts over at the end; of three processes, each takes every third.
 * @param {{recorded: Recorded, atMs: number}[]} all sorted by time @param {Part} part
 */
function createRecordedOrder(all, { index, count }) {
  let commands = all.map(({ recorded }) => recorded);
  let times = Float64Array.from(all, ({ atMs }) => atMs);
  let position = 0;
  let [taken] = commands;
  const place = (/** @type {number} */ taken) => taken * count + index;

  /** @param {number} taken @returns {number} its time in an endless recording */
  function timeOf(taken) {
    const at = place(taken);
    return Math.floor(at / times.length) * periodOf(times) + times[at % times.length];
  }

  return {
    /** @returns {Recorded} */
    next() {
      taken = commands[place(position++) % commands.length];
      return taken;
    },

    taken: () => taken,

    /** @param {{ratePerSecond: number, speed?: number}} pace @returns {Schedule} */
    schedule({ ratePerSecond, speed = (ratePerSecond * periodOf(times)) / (1000 * times.length) }) {
      const from = position;
      const startMs = timeOf(from);
      const at = (/** @type {number} */ operation) => (timeOf(from + operation) - startMs) / speed;
      return { at, due: (ms) => firstNotBefore(at, ms) };
    },

    /** Removes commands that fail, with their transactions. @param {Set<Recorded>} failing @returns transactions removed */
    leaveOut(failing) {
      const fails = (/** @type {Recorded} */ each) =>
        failing.has(each) || each.parts?.some((part) => failing.has(part));
      const transactions = commands.filter((each) => each.parts !== null && fails(each)).length;
      times = times.filter((_, place) => !fails(commands[place]));
      commands = commands.filter((each) => !fails(each));
      if (commands.length === 0) throw new Error('the reply to every command of the profile was an error');
      return transactions;
    },
  };
}

/** How long one pass takes, with an average gap after its last command. @param {Float64Array} times @returns {number} milliseconds */
function periodOf(times) {
  const span = times[times.length - 1] - times[0];
  return span + Math.max(1e-3, span / Math.max(1, times.length - 1));
}

/** @param {(operation: number) => number} at never falling @param {number} ms @returns {number} the first operation not before */
function firstNotBefore(at, ms) {
  let high = 1;
  while (at(high) < ms) high *= 2;
  let low = 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (at(middle) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Stores what reads need, and tries each command once: reads must reply as recorded, and none may fail.
 * @param {Connection} connection @param {Use[]} uses
 */
async function prepareReplay(connection, uses) {
  await store(
    connection,
    uses.flatMap(({ data }) => data),
  );
  const otherSize = createCallCounts();
  /** @type {Map<string, string>} */
  const errors = new Map();
  /** @type {Set<Recorded>} */
  const failing = new Set();
  const byCommand = new Map(uses.map((use) => [use.recorded.command, use]));
  for await (const [command, reply] of repliesTo(connection, [...byCommand.keys()])) {
    const { recorded, isRead } = mustGet(byCommand, command);
    if (reply instanceof Error) {
      failing.add(recorded);
      errors.set(command[0], messageOf(reply));
    } else if (isRead && !isExpected(recorded.expected, reply)) {
      otherSize.count(command[0]);
      recorded.expected = { types: [typeOf(reply)], bytes: bytesOf(reply) };
    }
  }
  /** @type {RunWarning[]} */
  const remarks = [...errors].map(([command, why]) => ({ kind: 'not-replayed', command, why }));
  const commands = otherSize.take();
  if (Object.keys(commands).length > 0) remarks.push({ kind: 'other-sizes', all: uses.length, commands });
  return { failing, remarks };
}

/** @param {Connection} connection @param {RedisCommand[]} commands @returns {AsyncGenerator<[RedisCommand, unknown]>} */
async function* repliesTo(connection, commands) {
  for (const part of batches(commands, bytesOf)) {
    /** @type {unknown[]} */
    let replies;
    try {
      replies = await connection.pipeline(part);
    } catch {
      // A client that drops the replies around an error is asked one by one.
      const asked = part.map(async (command) => connection.command(command));
      replies = await Promise.all(asked.map((each) => each.catch((error) => error)));
    }
    for (const [index, command] of part.entries()) yield [command, replies[index]];
  }
}

/** @param {Connection} connection @param {RedisCommand[]} commands */
async function store(connection, commands) {
  for await (const [command, reply] of repliesTo(connection, commands)) {
    assertParent();
    if (reply instanceof Error) throw new Error(`${command[0]} before the run failed: ${messageOf(reply)}`);
  }
}

const MOST_REFILLED = 1000;
const REFILL_BYTES = 20;

/** @type {Record<string, (key: string, parts: string[]) => RedisCommand>} */
const REFILLS = {
  string: (key, [part]) => ['SET', key, part],
  list: (key, parts) => ['RPUSH', key, ...parts],
  set: (key, parts) => ['SADD', key, ...parts],
  zset: (key, parts) => ['ZADD', key, ...parts.flatMap((part) => ['1', part])],
};

/** @param {Grown} grown @param {string[]} removal see Job @param {(bytes: number, place: number) => string} content */
function remaking({ key, family, taken, groups }, [remove, ...rest], content) {
  const parts = Array.from(
    { length: Math.min(MOST_REFILLED, taken) },
    (_, index) => `${index}.${content(REFILL_BYTES, index)}`,
  );
  /** @type {RedisCommand[]} */
  const commands = [[remove, key, ...rest]];
  if (taken > 0) commands.push(REFILLS[family](key, parts));
  for (const group of groups) commands.push(['XGROUP', 'CREATE', key, group, '$', 'MKSTREAM']);
  return commands;
}
