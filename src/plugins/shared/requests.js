import calculateSlot from 'cluster-key-slot';
import { numberOrError } from './byte-size.js';
import { sendInParts } from './cluster-routing.js';
import * as steps from './steps.js';

/** @import { AskedKind, Command, Connection, CycleContext, Item, RequestKind, Step } from '../types.js' */

/** @type {RequestKind} */
export const FETCH = {
  step: steps.get,
  one: ({ key }) => ['GET', key],
  each: (items) => ({ get: items }),
  many: {
    command: 'mget',
    of: (items) => ['MGET', ...items.map(({ key }) => key)],
    replies: (reply) => /** @type {unknown[]} */ (reply),
  },
  script: {
    text: "return redis.call('MGET', unpack(KEYS))",
    values: () => [],
    calls: () => ({ mget: 1 }),
  },
};

/** @type {RequestKind} */
export const STORE = {
  step: steps.set,
  one: ({ key, value }) => ['SET', key, value],
  each: (items) => ({ set: items }),
  many: {
    command: 'mset',
    of: (items) => ['MSET', ...items.flatMap(({ key, value }) => [key, value])],
    replies: (reply, items) => items.map(() => reply),
  },
  script: {
    text: "for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[i]) end return 'OK'",
    values: (items) => items.map(({ value }) => value),
    calls: (items) => ({ set: items }),
  },
};

/** A request has at most so many keys: what a script may unpack, and enough for a page of anything. */
const MOST_KEYS = 1000;
/** Whatever is prepared for each key is prepared for these, which are on every node of a cluster. */
const PREPARED = 1000;

/**
 * A workload whose operations are requests of several keys.
 * @param {{id: string, does: string, checks: Record<string, string>, prepare?: () => Step[]}} own
 * @param {RequestKind[]} kinds what is done with all keys, one after the other
 */
export const requestWorkload = ({ id, does, ...own }, ...kinds) => ({
  id,
  title: id,
  summary: `${does} several keys in each operation, coded in each --way`,
  syntax: `${id}:20`,
  parse: (/** @type {string | undefined} */ argument) => ({
    count: numberOrError(argument, 2, MOST_KEYS, `a number of keys from 2 to ${MOST_KEYS}, such as fetch:20`),
  }),
  titleOf: (/** @type {{count: number}} */ { count }) => `${id} ${count} keys`,
  request: (/** @type {{count: number}} */ { count }) => ({ kind: named(kinds), count }),
  cycle: (/** @type {{count: number}} */ { count }, /** @type {CycleContext} */ context) => [
    kinds.map((kind) => createRequestStep(kind, count, context)),
  ],
  ...own,
});

/** @param {RequestKind[]} kinds @returns {RequestKind} for words: the first, with the commands of all */
const named = ([first, ...others]) => ({
  ...first,
  many: { ...first.many, command: [first, ...others].map(({ many }) => many.command).join(' + ') },
});

/** Several commands of one key, as a request. @param {Step[]} parts each of any command @returns {AskedKind} */
export function sequenceOf(parts) {
  const partOf = (/** @type {Item} */ { at }) => parts[Number(at)];
  /** @type {Record<string, number>} */
  const calls = {};
  for (const { command } of parts) calls[command] = (calls[command] ?? 0) + 1;
  return {
    parts,
    step: {
      command: parts[0].command,
      send: (commands, item) => partOf(item).send(commands, item),
      accept: (reply, item) => partOf(item).accept(reply, item),
    },
    one: (item) => steps.commandOf(partOf(item), item),
    each: () => calls,
  };
}

/**
 * A step of a workload of requests: each operation is several items at once, sent in the cell's way.
 * @param {AskedKind} asked @param {number} count items of a request: keys, or commands of one
 * @param {CycleContext} context @returns {Step}
 */
export function createRequestStep(asked, count, { way, items = () => [], isSpread = false }) {
  // Ways are only given requests that have the `form` they need.
  const kind = /** @type {RequestKind} */ (asked);
  const { parts } = kind;
  /** @type {Record<string, number>} */
  let calls = {};
  const splits = isSpread && way?.inOneSlot;
  const all = items();
  const itemAt = (/** @type {Item} */ item, /** @type {number} */ at) =>
    parts === undefined ? all[(item.index + at) % all.length] : { ...item, at };
  const itemsOf = (/** @type {Item} */ item) =>
    Array.from({ length: count }, (_, more) => itemAt(item, more));

  /** @param {Connection} connection @param {Item[]} part */
  function send(connection, part) {
    for (const [name, times] of Object.entries(way?.calls(kind, part.length) ?? {}))
      calls[name] = (calls[name] ?? 0) + times;
    const replies = way?.send(connection, { ...kind, items: part });
    if (typeof replies?.then === 'function') return replies;
    throw new Error(`${way?.id}: send() must resolve to a reply for each key; it returned no promise`);
  }

  return {
    command: kind.step.command,
    parts,
    send(commands, item) {
      const connection = /** @type {Connection} */ (commands);
      const wanted = itemsOf(item);
      return splits ? sendBySlot(wanted, (part) => send(connection, part)) : send(connection, wanted);
    },
    accept: (replies, item) =>
      Array.isArray(replies) &&
      replies.length === count &&
      replies.every((reply, more) => kind.step.accept(reply, itemAt(item, more))),
    wrongText(replies, item, excerpt) {
      if (!Array.isArray(replies)) return undefined;
      const what = parts === undefined ? 'key' : 'command';
      if (replies.length !== count) return `${replies.length} replies came to ${count} ${what}s`;
      const at = replies.findIndex((reply, more) => !kind.step.accept(reply, itemAt(item, more)));
      const name = parts === undefined ? '' : ` (${parts[at].command.toUpperCase()})`;
      return `${what} ${at + 1} of ${count}${name} replied ${excerpt(replies[at])}`;
    },
    takeCalls() {
      const taken = calls;
      calls = {};
      return taken;
    },
    async store(connection, item) {
      if (way?.prepare === undefined || item.index >= PREPARED) return;
      const prepare = (/** @type {Item[]} */ part) => way.prepare?.(connection, { ...kind, items: part });
      await (splits ? sendBySlot(itemsOf(item), prepare) : prepare(itemsOf(item)));
    },
  };
}

/**
 * A request to a cluster as a program must send it: a part for each slot, all at once.
 * @param {Item[]} items @param {(part: Item[]) => Promise<any> | undefined} send resolves to a reply for each item
 */
const sendBySlot = (items, send) => sendInParts(items, ({ key }) => calculateSlot(key), send);

/** What ways claim that send each command by itself. @param {AskedKind} kind @param {number} items @returns {Record<string, number>} */
export const oneEach = ({ each }, items) => each(items);

/** @param {unknown[]} replies @returns {unknown[]} the same @throws the first that is an error */
export function withoutErrors(replies) {
  const failed = replies.find((reply) => reply instanceof Error);
  if (failed !== undefined) throw failed;
  return replies;
}
