import command from '../../break/index.js';
import { OPTIONS } from '../../break/options.js';
import { addMeasurement } from '../options.js';

/** @import { CliCommand } from '../types.js' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench break                                   four faults, with default and careful options
  $ redis-pipe-bench break stall:5s --clients 'ioredis,ioredis{commandTimeout:1000}' --runs 3
  $ redis-pipe-bench break failover:1s,stall:5s,switchover --topology sentinel --duration 30s
  $ redis-pipe-bench break idle-drop:4s --idle 10s --duration 5s
`;

/** @type {CliCommand} */
export default {
  name: 'break',
  summary: 'what breaks under load: recovery, waits, errors, lost and repeated writes',

  define(program, context) {
    const { fault, ...own } = OPTIONS;
    program.argument(`[${fault.flag}]`, fault.help).addHelpText('after', EXAMPLES);
    addMeasurement(program, command, own, context);
  },

  run: (given, context, fault) =>
    context.tools.measureAndPrint(fault === undefined ? given : { ...given, fault }, context, command),
};
