import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, messageOf, RunError } from '../errors.js';
import { startGuarded } from '../process/spawn.js';
import { within } from '../process/wait.js';

/** @import { NoServerProfile } from './types.js' */

/**
 * Half a second of a busy thread gives 2,500 samples. GETs in pipelines of 4 cost a server 0.777 and 0.778 µs with
 * sampling, 0.771 and 0.791 µs without.
 */
const SAMPLES_PER_SECOND = 5000;
/** cpu-clock works in virtual machines too. Kernel samples alone say little: they land where interrupts resume. */
const HOW = ['-e', 'cpu-clock', '-F', `${SAMPLES_PER_SECOND}`, '-k', 'CLOCK_MONOTONIC', '-g'];
/** Writes nothing to the user's build-id cache; the buffer per thread fits any user's memlock limit. */
const QUIETLY = ['-q', '-B', '-N', '-m', '32'];
/** perf starts within 0.2 s and reads its file in 0.1 s; a busy machine may need several seconds. */
export const ANSWERS_WITHIN_MS = 10_000;
const MOST_LETTERS = 64e6;
/** Exit code of the shell if perf is missing. */
const NOT_FOUND = 127;
/** Ignores the user's perf settings and downloads no symbols. */
const ENVIRONMENT = { LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '' };
/** Prints a line once sampling starts, and ends when the tool closes a pipe. */
export const UNTIL_CLOSED = ['sh', '-c', 'echo sampling; exec cat <&4 >/dev/null'];

/** @typedef {{threads: number[], folder: string, answersWithinMs: number}} How */

/** @param {How} how @returns {Promise<NoServerProfile | null>} null if perf works */
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
 * @param {How} how
 * @returns {Promise<{stop: () => Promise<string>, kill: () => void}>} `stop`: one paragraph per sample, with time in s,
 *   period in ns, event, and its calls, innermost first
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

/** @param {number[]} threads @param {string} file @param {string[]} command sampled while it runs */
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

/** perf never outlives the tool. @param {string[]} args @param {'pipe'[]} [more] streams from fd 5 on */
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

/** perf follows its reason with lines of advice. */
const LONGEST_REASON = 160;

/** @param {string} stderr @returns {string | null} the first line that says something */
function reasonIn(stderr) {
  const lines = stderr.split('\n').map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !/^error:$/i.test(line));
  return first?.slice(0, LONGEST_REASON) ?? null;
}

const paranoidLevel = () => readFile('/proc/sys/kernel/perf_event_paranoid', 'utf8').then(Number, () => null);
