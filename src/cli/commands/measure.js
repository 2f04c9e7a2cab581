import breakData from '../../break/index.js';
import { OPTIONS as OF_BREAK } from '../../break/options.js';
import coldData from '../../cold/index.js';
import { OPTIONS as OF_COLD } from '../../cold/options.js';
import messagesData from '../../messages/index.js';
import { addMeasurement } from '../options.js';

/** @import { CommandPart } from '../types.js' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench break                                   four faults, with default and careful options
  $ redis-pipe-bench break stall:5s --clients 'ioredis,ioredis{commandTimeout:1000}' --runs 3
  $ redis-pipe-bench break failover:1s,stall:5s,switchover --topology sentinel --duration 30s
  $ redis-pipe-bench break idle-drop:4s --idle 10s --duration 5s
`;

/** @type {CommandPart} */
export const breaking = {
  define(program, context) {
    const { fault, ...own } = OF_BREAK;
    program.argument(`[${fault.flag}]`, fault.help).addHelpText('after', EXAMPLES);
    addMeasurement(program, breakData, own, context);
  },

  run: (given, context, fault) =>
    measure(fault === undefined ? given : { ...given, fault }, context, breakData),
};

/** @type {CommandPart} */
export const cold = {
  define: (program, context) => addMeasurement(program, coldData, OF_COLD, context),
  run: (given, context) => measure(given, context, coldData),
};

/** @type {CommandPart} */
export const messages = {
  define: (program, context) => addMeasurement(program, messagesData, {}, context),
  run: (given, context) => measure(given, context, messagesData),
};

export { breaking as break };

/** @type {typeof import('../measuring.js').measureAndPrint} */
async function measure(given, context, command) {
  return (await import('../measuring.js')).measureAndPrint(given, context, command);
}
