import * as steps from '../shared/steps.js';

/** @import { Step, WorkloadSource } from '../types.js' */

/** The process that reads may be ahead of the one that stores. @type {Record<string, () => Step>} */
const STEPS = {
  get: () => steps.getIfThere,
  set: () => steps.set,
  exists: () => steps.createExists({ mayLack: true }),
};

/** @satisfies {WorkloadSource<string[]>} */
export default {
  summary: 'a command per process, all at once, over the same keys in the same order',

  parse(argument = '') {
    const commands = argument.split(',').map((name) => name.trim());
    const isOnce = commands.length > 1 && new Set(commands).size === commands.length;
    if (isOnce && commands.includes('set') && commands.every((name) => Object.hasOwn(STEPS, name)))
      return commands;
    throw new Error(
      `expected set, which stores the keys, and others of ${Object.keys(STEPS).join(', ')}, each once, ` +
        `such as per-process:set,exists; got '${argument}'`,
    );
  },

  titleOf: (commands) => commands.map((name) => name.toUpperCase()).join(' beside '),

  startsEmpty: () => true,

  processes: (commands) => commands.length,

  cycle: (commands, { role }) => [[STEPS[commands[role]]()]],
};
