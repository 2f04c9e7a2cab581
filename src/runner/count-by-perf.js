import { RunError } from '../errors.js';
import { succeeds, within } from '../process/wait.js';
import { checkEnd, launch, UNTIL_CLOSED } from '../server/perf.js';

/** @import { Duplex, Writable } from 'node:stream' */
/** @import { CounterSource } from './types.js' */

/** perf attaches and ends within 0.1 s; a busy machine may need seconds. */
const ANSWERS_WITHIN_MS = 10_000;
const [USER, KERNEL] = ['instructions:u', 'instructions:k'];
const [OVER, CONTROL] = [4, 5];

/** Uses the CPU's counters, if the user may read them. @type {CounterSource} */
export default {
  name: 'perf',
  sliceOperations: 16_000,
  async check() {
    await countsOf([USER]);
  },
  async open() {
    // On most machines only root may count kernel instructions.
    const events = (await succeeds(countsOf([KERNEL]))) ? [USER, KERNEL] : [USER];
    return {
      under: [],
      async count(pid, work) {
        const { done, counts } = await countEvents(pid, events, work);
        const [user, kernel = null] = counts;
        return { done, user, kernel };
      },
      async close() {},
    };
  },
};

/** Counts a program that does nothing. @param {string[]} events */
async function countsOf(events) {
  const { ended, kill } = launch([...argsFor(events), '--', 'true']);
  try {
    return readCounts(checkEnd(await within(ANSWERS_WITHIN_MS, ended)).stdout, events);
  } finally {
    kill();
  }
}

/** @param {string[]} events */
const argsFor = (events) => ['stat', '-x,', '--log-fd', '1', ...events.flatMap((event) => ['-e', event])];

/**
 * Counts all threads of a process during some work.
 * @template T @param {number} pid @param {string[]} events @param {() => Promise<T>} work
 * @returns {Promise<{done: T, counts: number[]}>} @throws {RunError} if perf did not count every event all the time
 */
export async function countEvents(pid, events, work) {
  const control = ['--delay=-1', '--control', `fd:${CONTROL},${CONTROL}`];
  const { child, ended, kill } = launch(
    [...argsFor(events), '-p', `${pid}`, ...control, '--', ...UNTIL_CLOSED],
    ['pipe'],
  );
  const pipe = /** @type {Duplex} */ (child.stdio[CONTROL]);
  /** @param {'enable' | 'disable'} what */
  const tell = async (what) => {
    const done = new Promise((resolve) => pipe.once('data', resolve));
    pipe.write(`${what}\n`);
    await within(ANSWERS_WITHIN_MS, Promise.race([done, ended.then(endedEarly)]));
  };
  try {
    await tell('enable');
    const done = await work();
    await tell('disable');
    /** @type {Writable} */ (child.stdio[OVER]).end();
    const { stdout } = checkEnd(await within(ANSWERS_WITHIN_MS, ended));
    return { done, counts: readCounts(stdout, events) };
  } finally {
    kill();
  }
}

/** @param {Parameters<typeof checkEnd>[0]} ended @returns {never} */
function endedEarly(ended) {
  checkEnd(ended);
  throw new RunError('perf ended too early');
}

/** Below this percentage the count is an estimate, because events shared a counter. */
const ALL_THE_TIME = 99.9;

/**
 * @param {string} text from `perf stat -x,` @param {string[]} events @returns {number[]} per event @throws {RunError}
 */
export function readCounts(text, events) {
  const rows = text.split('\n').map((line) => line.split(','));
  return events.map((event) => {
    // With two kinds of CPU cores, each has its own line.
    const named = rows.filter((row) => row[2]?.split('/').includes(event) || row[2] === event);
    if (named.length !== 1) throw new RunError(`perf has ${named.length} counts of ${event}, expected one`);
    const [[value, , , , running]] = named;
    const count = Number(value);
    if (!Number.isFinite(count)) throw new RunError(`perf says '${value}' of ${event}`);
    if (count === 0) throw new RunError(`perf has counted 0 ${event}`);
    if (Number(running) < ALL_THE_TIME)
      throw new RunError(`perf has counted ${event} for ${running} % of the time only`);
    return count;
  });
}
