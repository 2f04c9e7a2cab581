import { map } from '../../index.js';
import { addMeasuring, addOutputOptions, addSaving, benchmarkOptions } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** Only these options get help here; the others work as in a benchmark. */
const EXPLAINED = 'clients scenarios tasks rtt appWork size workload budgetMs url poolSize'.split(' ');

const EXAMPLES = `
The options of a benchmark say what is measured, and 'redis-pipe-bench --help all' has all of them.

Examples:
  $ redis-pipe-bench map                                       1 to 256 tasks, local to 10 ms away, in 5 minutes
  $ redis-pipe-bench map --tasks 1,8,64 --rtt 0,1ms --budget 1m
  $ redis-pipe-bench map --tasks 8,64 --app-work 0,50us,500us  how busy the service is, instead of distance
  $ redis-pipe-bench map --format html --output map.html       as a heat map
`;

/** @type {CliCommand} */
export default {
  name: 'map',
  summary: 'show which choice wins where: by number of tasks, by distance',

  define(command, context) {
    const { options, pluginFolders } = context;
    const { budgetMs, tasks, rtt, ...others } = benchmarkOptions(options);
    const own = {
      tasks: { ...tasks, default: undefined, help: `${tasks.help} (default: 1,4,16,64,256)` },
      rtt: { ...rtt, default: undefined, help: `${rtt.help} (default: 0,0.5ms,2ms,10ms)` },
      budgetMs: { ...budgetMs, help: 'about how long all of it takes (default: 5m)' },
      ...others,
    };
    addMeasuring(command, own, pluginFolders, EXPLAINED);
    addSaving(addOutputOptions(command, context)).addHelpText('after', EXAMPLES);
  },

  run: (given, context) => context.tools.measureAndPrint(map, given, context),
};
