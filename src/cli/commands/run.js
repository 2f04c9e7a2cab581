import { FLAGS, HEADINGS } from '../flags.js';
import { addOptions, addOutputOptions, addSaving, benchmarkOptions, namesOf } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'run',
  summary: 'measure; what is done if no command is named',

  define(command, context) {
    const { options, pluginFolders } = context;
    command
      .optionsGroup(HEADINGS.compare)
      .option(FLAGS.suite.flag, `a ready set of options (${namesOf('suites', pluginFolders)})`);
    addSaving(addOutputOptions(addOptions(command, benchmarkOptions(options), pluginFolders), context));
  },

  run: (given, context) => context.tools.measureAndPrint(given, context),
};
