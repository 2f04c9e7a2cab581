import { readFileSync } from 'node:fs';
import { commandNames, DEFAULT } from './command-files.js';

/** @import { World } from './types.js' */

/** Of EXIT, which the first help does not load. */
const [DONE, USAGE] = [0, 2];

/** @param {string[]} args without node and script @param {World} world @returns {Promise<number>} the exit code */
export async function main(args, world) {
  const output = watchOutput(world);
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
  const isOfCommand = help === -1 || commandNames().some((name) => args.includes(name));
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
 * Handles errors of the output streams. If the reader stops early, as `| head` does, the benchmark
 * still ends in good order. If results cannot be written, as on a full disk, that is an error.
 * @param {Pick<World, 'stdout' | 'stderr'>} world
 * @returns {{flushed: () => Promise<void>}} `flushed` waits for what was written to stdout
 */
function watchOutput({ stdout, stderr }) {
  /** @type {NodeJS.ErrnoException | undefined} */
  let failure;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // Nowhere is left to report it.
  stderr.on('error', () => {});
  return {
    /** @throws {RunError} if it could not be written although somebody reads it */
    async flushed() {
      await new Promise((resolve) => stdout.write('', resolve));
      if (failure === undefined || failure.code === 'EPIPE' || failure.code === 'ERR_STREAM_DESTROYED')
        return;
      const { messageOf, RunError } = await import('../index.js');
      throw new RunError(
        `the results could not be written to stdout: ${messageOf(failure)}; --output FILE writes them elsewhere`,
      );
    },
  };
}

/** Measured: with 128 most commands can load their files, with 140 not those of a page in HTML, with 160 all. */
const FEWEST = 192;

/**
 * With too few open files the tool would crash while loading itself, so this file imports next to nothing.
 * @returns {string | null} the message if there may be too few
 */
function tooFewFiles() {
  const limit = openFilesLimit();
  if (limit === null || limit >= FEWEST) return null;
  return (
    `redis-pipe-bench: expected at least ${FEWEST} open files for a process, but the limit here is ${limit}; ` +
    'raise it with: ulimit -n 1024\n'
  );
}

/** @returns {number | null} null if the system does not say */
function openFilesLimit() {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
