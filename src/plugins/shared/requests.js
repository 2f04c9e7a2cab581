import calculateSlot from 'cluster-key-slot';
import { numberOrError } from './byte-size.js';
import { createCallCounts } from './call-counts.js';
import { sendInParts } from './command-keys.js';
import * as steps from './steps.js';

/** @import { Connection, CycleContext, Item, RequestKind, Step, WorkloadPlugin } from '../types.js' */

/** @type {RequestKind} */
export const FETCH = {
  step: steps.get,
  one: ({ key }) => ['GET', key],
  many: {
    command: 'mget',
    of: (items) => ['MGET', ...items.map(({ key }) => key)],
    replies: (reply) => /** @type {unknown[]} */ (reply),
  },
};

/** @type {RequestKind} */
export const STORE = {
  step: steps.set,
  one: ({ key, value }) => ['SET', key, value],
  many: {
    command: 'mset',
    of: (items) => ['MSET', ...items.flatMap(({ key, value }) => [key, value])],
    replies: (reply, items) => items.map(() => reply),
  },
};

export const MOST_KEYS = 1000;

/**
 * A workload whose operations are requests of several keys.
 * @param {{id: string, does: string} & Pick<WorkloadPlugin, 'prepare' | 'done'>} own @param {RequestKind} kind
 */
export const requestWorkload = ({ id, does, ...own }, kind) => ({
  summary: `${does} several keys in each operation, coded in each --way`,
  parse: (/** @type {string | undefined} */ argument) => ({
    count: numberOrError(argument, 2, MOST_KEYS, `a number of keys from 2 to ${MOST_KEYS}, such as fetch:20`),
  }),
  titleOf: (/** @type {{count: number}} */ { count }) => `${id} ${count} keys`,
  request: (/** @type {{count: number}} */ { count }) => ({ kind, count }),
  cycle: (/** @type {{count: number}} */ { count }, /** @type {CycleContext} */ context) => [
    [createRequestStep(kind, count, context)],
  ],
  ...own,
});

/** Several commands of one key, as a request. @param {Step[]} parts @returns {RequestKind} */
export function sequenceOf(parts) {
  const partOf = (/** @type {Item} */ { at }) => parts[Number(at)];
  return {
    parts,
    step: {
      command: parts[0].command,
      send: (commands, item) => partOf(item).send(commands, item),
      accept: (reply, item) => partOf(item).accept(reply, item),
    },
    one: (item) => steps.commandOf(partOf(item), item),
  };
}

/**
 * Each operation is several items at once, sent in the cell's way.
 * @param {RequestKind} kind @param {number} count keys, or commands of one key @param {CycleContext} context @returns {Step}
 */
export function createRequestStep({ step, one, parts, many }, count, context) {
  const { way, items = () => [], isSpread = false } = context;
  const splits = isSpread && way?.inOneSlot;
  const all = items();
  // The first keys come again at the end, so that every request is a slice.
  const ring =
    parts === undefined
      ? Array.from({ length: all.length + count - 1 }, (_, at) => all[at % all.length])
      : [];
  /** @param {Item} item of the first key @returns {Item[]} */
  const itemsOf = (item) =>
    parts === undefined
      ? ring.slice(item.index, item.index + count)
      : parts.map((_, at) => ({ ...item, at }));
  /** Requests by number of items. @type {Map<number, number>} */
  const sent = new Map();

  /** @param {Connection} connection @param {Item[]} items */
  function send(connection, items) {
    sent.set(items.length, (sent.get(items.length) ?? 0) + 1);
    // Not `{...kind, items}`: V8 would make a new hidden class each time.
    return way?.send?.(connection, { step, one, parts, many, items });
  }

  /** @param {unknown[]} replies @param {Item} item @returns {number} the index of the first wrong one, or -1 */
  function firstWrong(replies, item) {
    const asked = parts === undefined ? ring : itemsOf(item);
    const first = parts === undefined ? item.index : 0;
    for (let at = 0; at < count; at++) if (!step.accept(replies[at], asked[first + at])) return at;
    return -1;
  }

  return {
    command: step.command,
    parts,
    stores: step.stores && itemsOf,
    send(commands, item) {
      const connection = /** @type {Connection} */ (commands);
      const wanted = itemsOf(item);
      // An application must send it so to a cluster.
      return splits
        ? sendInParts(
            wanted,
            ({ key }) => calculateSlot(key),
            (part) => send(connection, part),
          )
        : send(connection, wanted);
    },
    accept: (replies, item) =>
      Array.isArray(replies) && replies.length === count && firstWrong(replies, item) === -1,
    wrongAmong: (replies, item) =>
      Array.isArray(replies) && replies.length === count ? replies[firstWrong(replies, item)] : replies,
    wrongText(replies, item, excerpt) {
      if (!Array.isArray(replies)) return undefined;
      const what = parts === undefined ? 'key' : 'command';
      if (replies.length !== count) return `replies: ${replies.length} instead of ${count}`;
      const at = firstWrong(replies, item);
      const name = parts === undefined ? '' : ` (${parts[at].command.toUpperCase()})`;
      return `${what} ${at + 1} of ${count}${name} replied ${excerpt(replies[at])}`;
    },
    takeCalls() {
      const calls = createCallCounts();
      for (const [items, requests] of sent) {
        for (const name of way?.around ?? []) calls.count(name, requests);
        if (way?.ofMany && many) calls.count(many.command, requests);
        else if (parts === undefined) calls.count(step.command, items * requests);
        else for (const { command } of parts) calls.count(command, requests);
      }
      sent.clear();
      return calls.take();
    },
  };
}
