import { OPTIONS } from '../options/option-table.js';
import { commandNames, DEFAULT, summaryOf } from './command-files.js';
import { createCommand, FLAGS, HEADINGS, Option } from './commander.js';

/** @import { OptionGroup } from '../options/types.js' */
/** @import { World } from './types.js' */

const ABOUT = `How should a Node.js service talk to Redis? Measures clients and ways to connect side by side.
Without --url it starts a Redis server of its own and stops it at the end.

Examples:
  $ redis-pipe-bench                                 redis and ioredis, four ways to connect
  $ redis-pipe-bench --smoke --url redis://127.0.0.1:6379
  $ redis-pipe-bench --clients redis,redis:tuned --scenarios shared-connection --tasks 1,8,64`;

/** The others are only named. */
const FIRST_COMMANDS = ['map', 'compare', 'report', 'history', 'list', 'doctor', 'record'];

/**
 * Prints what one wants to know first, on one page. Apart from the rest of the command line, which takes three times as
 * long to load.
 * @param {Pick<World, 'stdout'>} world
 */
export function printFirstHelp({ stdout }) {
  const program = createCommand('redis-pipe-bench')
    .usage('[COMMAND] [options]')
    .description(ABOUT)
    .helpOption(false)
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
    });
  for (const group of /** @type {OptionGroup[]} */ (Object.keys(HEADINGS))) addBasic(program, group);
  const others = commandNames().filter((name) => ![DEFAULT, ...FIRST_COMMANDS].includes(name));
  for (const name of FIRST_COMMANDS) program.command(name).description(`${summaryOf(name)}`);
  program.addHelpText('after', afterwards(others)).outputHelp();
}

/** @param {string[]} others commands */
const afterwards = (others) => `  also ${others.join(', ')}

'redis-pipe-bench --help all' explains every option, 'redis-pipe-bench COMMAND --help' a command.`;

/** @param {ReturnType<typeof createCommand>} program @param {OptionGroup} group */
function addBasic(program, group) {
  for (const { flag, basic, group: own, default: fallback } of Object.values({ ...OPTIONS, ...FLAGS })) {
    if (own !== group || basic === undefined) continue;
    const isListed = Array.isArray(fallback) ? fallback.length > 0 : typeof fallback === 'number';
    const isTold = !isListed || basic.includes('default');
    const option = new Option(flag, isTold ? basic : `${basic} (default: ${fallback})`);
    program.addOption(option.helpGroup(HEADINGS[group]));
  }
}
