import { COMMANDS, DEFAULT } from './commands.js';
import { createPrinter } from './terminal.js';

/** @import { Outside, World } from './types.js' */

const LEAST_COLUMNS = 40;

/** If the reader stops early, as `| head` does, the benchmark still ends cleanly. */
const READER_STOPPED = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/** @param {string[]} args without node and script @param {Outside} outside @returns {Promise<number>} the exit code */
export async function main(args, outside) {
  const { stdout, stderr, env } = outside;
  /** @type {NodeJS.ErrnoException[]} */
  const failures = [];
  stdout.on('error', (error) => failures.push(error));
  // There is nowhere left to report this.
  stderr.on('error', () => {});
  // A pipe has no width of its own.
  stdout.columns ??= Math.max(LEAST_COLUMNS, Number.parseInt(env.COLUMNS ?? '', 10)) || undefined;
  const world = { ...outside, stdout: createPrinter(stdout, env), stderr: createPrinter(stderr, env) };
  try {
    const exitCode = await run(args, world);
    await new Promise((resolve) => stdout.write('', resolve));
    const [failure] = failures;
    if (failure === undefined || READER_STOPPED.includes(`${failure.code}`)) return exitCode;
    const { messageOf, RunError } = await import('../errors.js');
    throw new RunError(
      `the results could not be written to stdout: ${messageOf(failure)}; --output FILE writes them elsewhere`,
    );
  } catch (error) {
    const { explain } = await import('./program.js');
    return explain(error, world);
  }
}

/** @param {string[]} args @param {World} world @returns {Promise<number>} */
async function run(args, world) {
  const help = args.findIndex((arg) => arg === '-h' || arg === '--help');
  const isOfCommand = help === -1 || Object.keys(COMMANDS).some((name) => args.includes(name));
  if (!isOfCommand && args[help + 1] !== 'all') {
    const { printFirstHelp } = await import('./first-help.js');
    printFirstHelp(world);
    return 0;
  }
  const { runProgram } = await import('./program.js');
  return runProgram(isOfCommand ? args : [DEFAULT, ...args.toSpliced(help + 1, 1)], world);
}
