import { readFileSync } from 'node:fs';
import { COMMANDS, DEFAULT } from './commands.js';

/** @import { World } from './types.js' */

/** As in EXIT, which the first help does not load. */
const [DONE, USAGE] = [0, 2];
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
    return DONE;
  }
  const complaint = tooFewFiles();
  if (complaint !== null) {
    world.stderr.write(complaint);
    return USAGE;
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

/** Measured: 128 open files suffice to load most commands, 140 all but HTML pages, 160 all. */
const FEWEST = 192;

/** With too few open files, loading would crash, so this file imports almost nothing. @returns {string | null} */
function tooFewFiles() {
  const limit = openFilesLimit();
  if (limit === null || limit >= FEWEST) return null;
  return (
    `redis-pipe-bench: expected at least ${FEWEST} open files for a process, but the limit here is ${limit}; ` +
    'raise it with: ulimit -n 1024\n'
  );
}

/** @returns {number | null} if unknown */
function openFilesLimit() {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
