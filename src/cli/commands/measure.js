import benchmarkData from '../../commands/benchmark/index.js';
import breakData from '../../commands/break/index.js';
import { FAULTS as KINDS, OPTIONS as OF_BREAK } from '../../commands/break/options.js';
import coldData from '../../commands/cold/index.js';
import { OPTIONS as OF_COLD } from '../../commands/cold/options.js';
import messagesData from '../../commands/messages/index.js';
import { pluginIds } from '../../plugins/registry.js';
import { FLAGS, HEADINGS } from '../first-help.js';
import {
  Argument,
  addMeasurement,
  helpOptionsOf,
  namesOf,
  Option,
  undecidedOption,
  withValues,
} from '../options.js';

/** @import { CommandData } from '../../commands/types.js' */
/** @import { OptionSpec } from '../../options/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {typeof import('../measuring.js').measureAndPrint} */
async function measure(given, context, command) {
  return (await import('../measuring.js')).measureAndPrint(given, context, command);
}

/** @type {CommandPart} */
export const run = {
  define(command, context) {
    command
      .optionsGroup(HEADINGS.compare)
      .addOption(
        withValues(
          new Option(
            FLAGS.suite.flag,
            `a ready set of options (${namesOf('suites', context.pluginFolders)})`,
          ),
          pluginIds('suites', context.pluginFolders),
        ),
      );
    addMeasurement(command, context.options, context).addOption(undecidedOption().helpGroup(HEADINGS.print));
  },
  run: (given, context) => measure(given, context, benchmarkData),
};

/** @param {CommandData} data @param {Record<string, OptionSpec>} [own] @returns {Required<CommandPart>} */
const measuring = (data, own) => ({
  data,
  define(command, context) {
    const options = helpOptionsOf(data, { ...context.options, ...own });
    addMeasurement(command, options, context);
    if ('budgetMs' in options) command.addOption(undecidedOption().helpGroup(HEADINGS.print));
  },
  run: (given, context) => measure(given, context, data),
});

const { fault: FAULTS, ...ofBreak } = OF_BREAK;
const ofFaults = measuring(breakData, ofBreak);
const EXAMPLES = `
Examples:
  $ redis-pipe-bench break                                   four faults, with default and careful options
  $ redis-pipe-bench break stall:5s --clients 'ioredis,ioredis{commandTimeout:1000}' --runs 3
  $ redis-pipe-bench break failover:1s,stall:5s,switchover --topology sentinel --duration 30s
  $ redis-pipe-bench break idle-drop:4s --idle 10s
`;

/** @type {CommandPart} */
const breaking = {
  data: breakData,
  define(command, context) {
    command
      .addArgument(withValues(new Argument(`[${FAULTS.flag}]`, FAULTS.help), Object.keys(KINDS)))
      .addHelpText('after', EXAMPLES);
    ofFaults.define(command, context);
  },
  run: (given, context, fault) => ofFaults.run(fault === undefined ? given : { ...given, fault }, context),
};

export { breaking as break };

export const cold = measuring(coldData, OF_COLD);
export const messages = measuring(messagesData);
