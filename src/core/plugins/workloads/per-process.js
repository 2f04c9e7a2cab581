import * as steps from '../shared/steps.js';

/** @import { Step, WorkloadPlugin } from '../types.js' */

/** The process that reads may be ahead of the one that stores. @type {Record<string, () => Step>} */
const STEPS = {
  get: () => steps.getIfThere,
  set: () => steps.set,
  exists: () => steps.createExists({ mayLack: true }),
};

/** @satisfies {WorkloadPlugin<string[]>} */
export default {
  id: 'per-process',
  title: 'a command for each process',
  summary: 'a command per process, all at once, over the same keys in the same order',
  syntax: 'per-process:set,exists',

  parse(argument = '') {
    const commands = argument.split(',').map((name) => name.trim());
    const unknown = commands.find((name) => !Object.hasOwn(STEPS, name));
    if (unknown !== undefined) {
      throw new Error(
        `expected commands from ${Object.keys(STEPS).join(', ')} such as per-process:set,exists, got '${unknown}'`,
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

  titleOf: (commands) => commands.map((name) => name.toUpperCase()).join(' beside '),

  startsEmpty: true,

  processes: (commands) => commands.length,

  cycle: (commands, { role }) => [[STEPS[commands[role]]()]],
};
