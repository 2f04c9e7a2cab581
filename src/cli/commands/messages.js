import command from '../../messages/index.js';
import { addMeasurement } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'messages',
  summary: 'from sender to receiver by queue, stream, publish: rate, latency, losses',
  define: (program, context) => addMeasurement(program, command, {}, context),
  run: (given, context) => context.tools.measureAndPrint(given, context, command),
};
