import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, messageOf, RunError } from '../errors.js';
import { startGuarded } from '../process/spawn.js';
import { within } from '../process/wait.js';

/** @import { NoServerProfile } from './types.js' */

/**
 * Half a second of a thread that is always busy has 2,500 samples. A GET of a pipeline of 4 cost a server 0.777 and
 * 0.778 µs with them and 0.771 and 0.791 µs without.
 */
const SAMPLES_PER_SECOND = 5000;
/**
 * A clock of the processor, which virtual machines have too; times by the clock that all processes share. With the calls
 * that lead to a sample, because a sample of the kernel alone says little: it falls where interrupts are allowed again.
 */
const HOW = ['-e', 'cpu-clock', '-F', `${SAMPLES_PER_SECOND}`, '-k', 'CLOCK_MONOTONIC', '-g'];
/** Nothing goes to the user's cache of binaries; pages for each thread within what any user may lock. */
const QUIETLY = ['-q', '-B', '-N', '-m', '32'];
/** It begins within a fifth of a second and reads its own file in a tenth; a machine that is busy may need several. */
export const ANSWERS_WITHIN_MS = 10_000;
const MOST_LETTERS = 64e6;
/** Where the shell that starts it says that there is none. */
const NOT_FOUND = 127;
/** It reads no settings of the user's and loads no symbols from a network. */
const ENVIRONMENT = { LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '' };
/** Says when sampling has begun, and ends when the tool closes a pipe. */
export const UNTIL_CLOSED = ['sh', '-c', 'echo sampling; exec cat <&4 >/dev/null'];

/** @typedef {{threads: number[], folder: string, answersWithinMs: number}} How `folder`: for a file that perf writes */

/** @param {How} how @returns {Promise<NoServerProfile | null>} why perf cannot sample these threads */
export async function whyNoPerf({ threads, folder, answersWithinMs }) {
  const { ended, kill } = launch(recordArgs(threads, join(folder, 'trial.data'), ['true']));
  try {
    const { code, stderr } = await within(answersWithinMs, ended);
    if (code === 0) return null;
    if (code === NOT_FOUND) return { kind: 'perf-missing' };
    return { kind: 'perf-refused', why: reasonIn(stderr), paranoid: await paranoidLevel() };
  } catch (error) {
    return { kind: 'perf-failed', why: messageOf(error) };
  } finally {
    kill();
  }
}

/**
 * Has perf sample threads until it is told to stop.
 * @param {How} how
 * @returns {Promise<{stop: () => Promise<string>, kill: () => void}>} once it samples; `stop` returns a paragraph for
 *   each sample: its time in seconds, its period in ns and its event, and a line for each call with address, symbol and
 *   file, the innermost first
 * @throws {RunError} when perf does not do it
 */
export async function startPerf({ threads, folder, answersWithinMs }) {
  const file = join(folder, 'perf.data');
  const { child, ended, kill } = launch(recordArgs(threads, file, UNTIL_CLOSED));
  const started = new Promise((resolve) => child.stdout?.once('data', resolve));
  try {
    await within(answersWithinMs, Promise.race([started, ended.then(checkEnd)]));
  } catch (error) {
    kill();
    throw error;
  }
  return {
    kill,
    async stop() {
      try {
        /** @type {import('node:stream').Writable} */ (child.stdio[4]).end();
        checkEnd(await within(answersWithinMs, ended));
      } finally {
        kill();
      }
      return readSamples(file, answersWithinMs);
    },
  };
}

/** @param {number[]} threads @param {string} file @param {string[]} command during which they are sampled */
const recordArgs = (threads, file, command) => [
  ...['record', ...QUIETLY, ...HOW, '-t', threads.join(), '-o', file, '--'],
  ...command,
];

/** @param {string} file @param {number} answersWithinMs @returns {Promise<string>} */
async function readSamples(file, answersWithinMs) {
  const fields = 'time,event,period,ip,sym,dso';
  const { ended, kill } = launch(['script', '-i', file, '--no-inline', '-F', fields]);
  try {
    return checkEnd(await within(answersWithinMs, ended)).stdout;
  } finally {
    kill();
  }
}

/** @typedef {{code: number | null, stdout: string, stderr: string}} Ended */

/** @param {Ended} ended @returns {Ended} */
export function checkEnd(ended) {
  if (ended.code === 0) return ended;
  throw new RunError(reasonIn(ended.stderr) ?? 'it failed without a message');
}

/** Starts perf, which never outlives the tool. @param {string[]} args @param {'pipe'[]} [more] streams, from 5 on */
export function launch(args, more = []) {
  const { child, ended: exited } = startGuarded(['perf', ...args], {
    env: { ...process.env, ...ENVIRONMENT },
    more: ['ignore', 'pipe', ...more],
  });
  const printed = { stdout: '', stderr: '' };
  let isOver = false;
  function kill() {
    const { pid } = child;
    // It may just have ended.
    if (!isOver && pid !== undefined) attempt(() => process.kill(-pid, 'SIGKILL'), false);
  }
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name]?.setEncoding('utf8').on('data', (chunk) => {
      if (printed[name].length < MOST_LETTERS) printed[name] += chunk;
      else kill();
    });
  }
  /** @type {Promise<Ended>} */
  const ended = new Promise((resolve) => {
    child.on('close', async (code) => {
      isOver = true;
      resolve(
        child.pid === undefined
          ? { ...printed, code: NOT_FOUND, stderr: await exited }
          : { ...printed, code },
      );
    });
  });
  return { child, ended, kill };
}

/** More of what perf prints is advice of many lines. */
const LONGEST_REASON = 160;

/** @param {string} stderr @returns {string | null} the first line that says something */
function reasonIn(stderr) {
  const lines = stderr.split('\n').map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !/^error:$/i.test(line));
  return first?.slice(0, LONGEST_REASON) ?? null;
}

/** @returns {Promise<number | null>} */
const paranoidLevel = () => readFile('/proc/sys/kernel/perf_event_paranoid', 'utf8').then(Number, () => null);
