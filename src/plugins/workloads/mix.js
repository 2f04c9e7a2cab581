import * as steps from '../shared/steps.js';

/** @import { Step } from '../types.js' */

/** @type {Record<string, () => Step>} */
const STEPS = { get: () => steps.get, set: () => steps.set, exists: () => steps.createExists() };
/** A mix repeats after this many iterations, so shares are exact to a thousandth. */
const LONGEST_CYCLE = 1000;

export default {
  id: 'mix',
  title: 'mix',
  summary: 'single commands in given proportions, evenly interleaved',
  syntax: 'mix:get=80,set=20',
  checks: { GET: 'value', SET: 'value', EXISTS: 'value' },

  /**
   * @param {string} [argument]
   * @returns {Record<string, number>} the weight of each command
   */
  parse(argument = '') {
    const weights = argument.split(',').map((part) => {
      const [, name, weight] = /^\s*(\w+)\s*=\s*(\d+)\s*$/.exec(part) ?? [];
      if (!(name in STEPS) || Number(weight) < 1 || Number(weight) > LONGEST_CYCLE) {
        throw new Error(
          `expected shares of ${Object.keys(STEPS).join(', ')} such as mix:get=80,set=20, got '${part.trim()}'`,
        );
      }
      return [name, Number(weight)];
    });
    const shares = Object.fromEntries(weights);
    if (weights.length < 2 || Object.keys(shares).length < weights.length) {
      throw new Error(
        `expected at least two different commands, such as mix:get=80,set=20, got '${argument}'`,
      );
    }
    return shares;
  },

  /** @param {Record<string, number>} shares */
  titleOf: (shares) =>
    `MIX:${Object.entries(shares)
      .map(([name, share]) => `${name.toUpperCase()}=${share}`)
      .join()}`,

  prepare: () => [steps.set, steps.get],

  /** @param {Record<string, number>} shares */
  cycle(shares) {
    // One step for all iterations with the same command.
    const made = Object.fromEntries(Object.keys(shares).map((name) => [name, STEPS[name]()]));
    return interleave(shares).map((name) => [made[name]]);
  },
};

/**
 * Spreads each command as evenly as possible over the cycle: the one that is most behind its share is next.
 *
 * @param {Record<string, number>} shares
 * @returns {string[]}
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
