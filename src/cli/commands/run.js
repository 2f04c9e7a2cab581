import { FLAGS, HEADINGS } from '../flags.js';
import { addOptions, addOutputOptions, addSaving, benchmarkOptions, namesOf } from '../options.js';

/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const run = {
  define(command, context) {
    const { options, pluginFolders } = context;
    command
      .optionsGroup(HEADINGS.compare)
      .option(FLAGS.suite.flag, `a ready set of options (${namesOf('suites', pluginFolders)})`);
    addSaving(addOutputOptions(addOptions(command, benchmarkOptions(options), pluginFolders), context));
  },

  run: async (given, context) => (await import('../measuring.js')).measureAndPrint(given, context),
};
