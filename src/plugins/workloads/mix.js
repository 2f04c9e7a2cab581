import { isStored } from '../shared/accounts.js';
import { byteSize } from '../shared/byte-size.js';
import * as steps from '../shared/steps.js';

/** @import { CycleContext, Item, Step, WorkloadSource } from '../types.js' */

/** @type {Record<string, () => Step>} */
const STEPS = { get: () => steps.get, set: () => steps.set, exists: () => steps.createExists() };
/** A mix repeats after this many iterations, so shares are exact to a thousandth. */
const LONGEST_CYCLE = 1000;
/** --value-size has the same bound. */
const LARGEST = 512e6;
const SHARE = /^\s*(\w+)(?:@([\d.]+[a-z]*))?\s*=\s*(\d+)\s*$/i;

/** @satisfies {WorkloadSource<Record<string, number>>} */
export default {
  summary: 'single commands in given proportions, evenly interleaved, some on values of their own size',
  wholeValues: true,

  // The weight of each command, `get` or `get@100kb`.
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

  done: isStored,
  accounts: (shares) => Object.keys(shares).some(isSet),
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
  const [, name, size, weight] = SHARE.exec(text) ?? [];
  const bytes = size === undefined ? 1 : (byteSize(size) ?? Number.POSITIVE_INFINITY);
  if (!(name in STEPS) || bytes > LARGEST || Number(weight) < 1 || Number(weight) > LONGEST_CYCLE) {
    throw new Error(
      `expected shares of ${Object.keys(STEPS).join(', ')} such as mix:get=80,set=20, or of values of up to 512mb such as ` +
        `mix:get=95,get@100kb=5, got '${text.trim()}'`,
    );
  }
  return [size === undefined ? name : `${name}@${size.toLowerCase()}`, Number(weight)];
}

/** @param {string} name @returns {number | null} bytes; null for the size of all others */
const sizeOf = (name) => byteSize(name.split('@')[1]);

/** @param {string} name @returns {string} `GET@100kb` */
const labelOf = (name) => name.replace(/^\w+/, (command) => command.toUpperCase());

/** @param {string} name */
const isSet = (name) => /^set\b/.test(name);

/** @param {string} name @param {CycleContext} context @returns {Step} */
function stepOf(name, { itemsOf, isFollowed }) {
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

/**
 * Spreads each command as evenly as possible over the cycle: the one that is most behind its share is next.
 * @param {Record<string, number>} shares @returns {string[]}
 */
function interleave(shares) {
  const divisor = Object.values(shares).reduce(greatestCommonDivisor);
  const wanted = Object.entries(shares).map(([name, share]) => ({ name, share: share / divisor, done: 0 }));
  const length = wanted.reduce((sum, { share }) => sum + share, 0);
  return Array.from({ length }, (_, position) => {
    const behind = (/** @type {typeof wanted[number]} */ each) =>
      ((position + 1) * each.share) / length - each.done;
    const next = wanted.reduce((most, each) => (behind(each) > behind(most) ? each : most));
    next.done++;
    return next.name;
  });
}

/** @param {number} a @param {number} b @returns {number} */
const greatestCommonDivisor = (a, b) => (b === 0 ? a : greatestCommonDivisor(b, a % b));
