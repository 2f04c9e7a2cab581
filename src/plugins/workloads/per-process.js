import * as steps from '../shared/steps.js';

/** @import { CycleContext, Step } from '../types.js' */

/**
 * Nothing is stored before the run, and the process that asks may be ahead of the one that stores.
 * @type {Record<string, () => Step>}
 */
const STEPS = {
  get: () => steps.getIfThere,
  set: () => steps.set,
  exists: () => steps.createExists({ mayLack: true }),
};

export default {
  id: 'per-process',
  title: 'a command for each process',
  summary: 'single commands at once, each in a process of its own, over the same keys in the same order',
  syntax: 'per-process:set,exists',
  // A key may not be stored yet: an EXISTS may be 0 or 1, and how many were which is counted.
  checks: { GET: 'value', SET: 'value', EXISTS: 'count' },

  /** @param {string} [argument] @returns {string[]} the command of each process */
  parse(argument = '') {
    const commands = argument.split(',').map((name) => name.trim());
    const unknown = commands.find((name) => !Object.hasOwn(STEPS, name));
    if (unknown !== undefined) {
      throw new Error(
        `expected commands out of ${Object.keys(STEPS).join(', ')} such as per-process:set,exists, got '${unknown}'`,
      );
    }
    if (commands.length < 2 || new Set(commands).size < commands.length) {
      throw new Error(
        `expected at least two different commands, such as per-process:set,exists, got '${argument}' ` +
          '(--processes 2 does each of them in two processes)',
      );
    }
    if (!commands.includes('set')) {
      throw new Error(`expected set among the commands, got '${argument}': nothing is stored before the run`);
    }
    return commands;
  },

  /** @param {string[]} commands */
  titleOf: (commands) => commands.map((name) => name.toUpperCase()).join(' beside '),

  startsEmpty: true,

  /** @param {string[]} commands */
  processes: (commands) => commands.length,

  /** @param {string[]} commands @param {CycleContext} context */
  cycle: (commands, { role }) => [[STEPS[commands[role]]()]],
};
