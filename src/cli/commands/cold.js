import command from '../../cold/index.js';
import { OPTIONS } from '../../cold/options.js';
import { addMeasurement } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'cold',
  summary: 'what a fresh process takes to its first reply: import, connect, reply',
  define: (program, context) => addMeasurement(program, command, OPTIONS, context),
  run: (given, context) => context.tools.measureAndPrint(given, context, command),
};
