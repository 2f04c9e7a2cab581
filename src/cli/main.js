import { COMMANDS, DEFAULT } from './commands.js';

/** @import { World } from './types.js' */

const LEAST_COLUMNS = 40;

/** @param {string[]} args without node and script @param {World} world @returns {Promise<number>} the exit code */
export async function main(args, world) {
  const output = watchOutput(world);
  // A pipe has no width of its own.
  world.stdout.columns ??= Math.max(LEAST_COLUMNS, Number.parseInt(world.env.COLUMNS ?? '', 10)) || undefined;
  try {
    const exitCode = await run(args, world);
    await output.flushed();
    return exitCode;
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

/**
 * If the reader stops early, as `| head` does, the benchmark still ends cleanly; results that cannot be written are an
 * error.
 * @param {Pick<World, 'stdout' | 'stderr'>} world
 * @returns {{flushed: () => Promise<void>}} `flushed` waits until stdout is written
 */
function watchOutput({ stdout, stderr }) {
  /** @type {NodeJS.ErrnoException | undefined} */
  let failure;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // There is nowhere left to report this.
  stderr.on('error', () => {});
  return {
    /** @throws {RunError} if the output was lost though its reader was still there */
    async flushed() {
      await new Promise((resolve) => stdout.write('', resolve));
      if (failure === undefined || failure.code === 'EPIPE' || failure.code === 'ERR_STREAM_DESTROYED')
        return;
      const { messageOf, RunError } = await import('../core/errors.js');
      throw new RunError(
        `the results could not be written to stdout: ${messageOf(failure)}; --output FILE writes them elsewhere`,
      );
    },
  };
}
