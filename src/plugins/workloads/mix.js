import { isStored } from '../shared/accounts.js';
import { byteSize } from '../shared/byte-size.js';
import { interleave } from '../shared/interleave.js';
import { createRequestStep, FETCH, MOST_KEYS, STORE } from '../shared/requests.js';
import * as steps from '../shared/steps.js';

/** @import { CycleContext, Item, RequestKind, Step, WorkloadSource } from '../types.js' */

/** @type {Record<string, () => Step>} */
const STEPS = { get: () => steps.get, set: () => steps.set, exists: () => steps.createExists() };
/** @type {Record<string, RequestKind>} */
const REQUESTS = { fetch: FETCH, store: STORE };
/** A mix repeats after this many iterations, so shares are exact to a thousandth. */
const LONGEST_CYCLE = 1000;
/** --value-size has the same bound. */
const LARGEST = 512e6;
const SHARE = /^\s*(\w+)(?:@([\d.]+[a-z]*)|:(\d+))?\s*=\s*(\d+)\s*$/i;

/** @satisfies {WorkloadSource<Record<string, number>>} */
export default {
  summary: 'commands and requests by shares, evenly interleaved, some on values of their own size',
  wholeValues: true,

  // The weight of each: `get`, `get@100kb` or `fetch:20`.
  parse(argument = '') {
    const weights = argument.split(',').map(readShare);
    const shares = Object.fromEntries(weights);
    if (weights.length < 2 || Object.keys(shares).length < weights.length) {
      throw new Error(
        `expected at least two different commands, such as mix:get=80,set=20, got '${argument}'`,
      );
    }
    return shares;
  },

  titleOf: (shares) =>
    `MIX:${Object.entries(shares)
      .map(([name, share]) => `${labelOf(name)}=${share}`)
      .join()}`,

  sizes: (shares) => [...new Set(Object.keys(shares).flatMap((name) => sizeOf(name) ?? []))],

  prepare: () => [steps.set, steps.get],

  // Each way to code them makes a cell, and the longest bounds what is in flight.
  request(shares) {
    const all = Object.keys(shares).flatMap((name) => {
      const request = requestOf(name);
      return request ? { ...request, share: labelOf(name) } : [];
    });
    const [first] = all;
    const longest = all.find(({ count }) => count === Math.max(...all.map((each) => each.count)));
    return first && longest && { ...longest, kind: first.kind };
  },

  done: isStored,
  // Operations of different lengths cannot be numbered by keys.
  accounts: (shares) => Object.keys(shares).some(isSet) && !Object.keys(shares).some(requestOf),
  writes(shares) {
    const names = interleave(shares);
    return (number) => isSet(names[number % names.length]);
  },

  cycle(shares, context) {
    // One step for all iterations with the same command.
    const made = Object.fromEntries(Object.keys(shares).map((name) => [name, stepOf(name, context)]));
    return interleave(shares).map((name) => [made[name]]);
  },
};

/** @param {string} text `get=95` or `get@100kb=5` @returns {[name: string, weight: number]} */
function readShare(text) {
  const [, name, size, keys, weight] = SHARE.exec(text) ?? [];
  const bytes = size === undefined ? 1 : (byteSize(size) ?? Number.POSITIVE_INFINITY);
  const isKnown =
    keys === undefined
      ? name in STEPS && bytes <= LARGEST
      : name in REQUESTS && Number(keys) > 1 && Number(keys) <= MOST_KEYS;
  if (!isKnown || Number(weight) < 1 || Number(weight) > LONGEST_CYCLE) {
    throw new Error(
      `expected shares of ${Object.keys(STEPS).join(', ')} such as mix:get=80,set=20, of values of up to 512mb such as ` +
        `mix:get=95,get@100kb=5, or of requests such as mix:get=95,fetch:20=5, got '${text.trim()}'`,
    );
  }
  if (keys !== undefined) return [`${name}:${Number(keys)}`, Number(weight)];
  return [size === undefined ? name : `${name}@${size.toLowerCase()}`, Number(weight)];
}

/** @param {string} name @returns {number | null} bytes; null for the size of all others */
const sizeOf = (name) => byteSize(name.split('@')[1]);

/** @param {string} name @returns {string} `GET@100kb` */
const labelOf = (name) => name.replace(/^\w+/, (command) => command.toUpperCase());

/** @param {string} name */
const isSet = (name) => /^set\b/.test(name);

/** @param {string} name @returns {{kind: RequestKind, count: number} | undefined} of `fetch:20` */
function requestOf(name) {
  const [id, count] = name.split(':');
  return count === undefined ? undefined : { kind: REQUESTS[id], count: Number(count) };
}

/** @param {string} name @param {CycleContext} context @returns {Step} */
function stepOf(name, context) {
  const { itemsOf, isFollowed } = context;
  const request = requestOf(name);
  if (request) return { ...createRequestStep(request.kind, request.count, context), label: labelOf(name) };
  const step = { ...STEPS[name.split('@')[0]](), label: labelOf(name) };
  const size = sizeOf(name);
  if (size === null) return step;
  const items = itemsOf(size);
  const sized = (/** @type {Item} */ { index }) => items[index % items.length];
  // A write that is followed has a key of its own.
  const own =
    isFollowed && isSet(name) ? (/** @type {Item} */ item) => ({ ...item, value: sized(item).value }) : sized;
  return {
    ...step,
    bytes: size,
    send: (commands, item) => step.send(commands, own(item)),
    accept: (reply, item) => step.accept(reply, own(item)),
    stores: step.stores && ((item) => [own(item)]),
  };
}
