import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sum } from 'simple-statistics';
import { RunError } from '../errors.js';
import { reasonIn } from '../process/answering.js';
import { guardAgainstOutliving, onCpus, startProcess } from '../process/spawn.js';
import { succeeds, untilAborted, within } from '../process/wait.js';
import { sharedClock } from '../shared-clock.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Duplex } from 'node:stream' */
/** @import { ColdStart, Job } from '../worker/types.js' */
/** @import { Counter } from './types.js' */

const ENTRY = fileURLToPath(new URL('../worker/cold-child.js', import.meta.url));
const ENDS_WITHIN_MS = 1000;

/**
 * V8 compiles and collects garbage in other threads, partly after a part has ended: one count in 3 of redis:tuned was
 * 9 % lower. In one thread, three imports of redis differed by 0.8 %.
 */
const COUNTED = ['--single-threaded'];
/** Import, connect and reply are counted separately. */
const PARTS = 3;

/**
 * @param {Job} job
 * @param {{nodeBin: string, cpus: number[] | null, limitMs: number, signal: AbortSignal,
 *   onEnd: (pid: number) => void}} how
 * @param {Counter} [counter] @returns {Promise<{start: ColdStart, counts: Counts | null}>}
 * @throws {RunError} if there was no reply
 */
export async function startColdProcess(job, { nodeBin, cpus, limitMs, signal, onEnd }, counter) {
  const spawnedMs = sharedClock();
  const node = counter ? [...counter.under, nodeBin, ...COUNTED] : [nodeBin];
  const { child, tail, ended } = startProcess(onCpus(cpus, [...node, ENTRY]), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const unguard = guardAgainstOutliving(child.pid, 0, counter?.folder);
  // Last, because the guard must start first: no client may outlive a killed tool.
  child.stdin?.end(JSON.stringify({ ...job, isCounted: counter !== undefined }));
  async function tellOutcome() {
    const outcome = await text(/** @type {any} */ (child.stdio[3])).catch(() => '');
    if (outcome === '') throw new RunError(`its process ${await ended}${reasonIn(tail())}`);
    const told = JSON.parse(outcome);
    if (told.error !== undefined) throw new RunError(told.error);
    return told;
  }
  try {
    const outcome = tellOutcome();
    const both = Promise.all([outcome, counter ? countParts(child, counter, outcome) : null]);
    const [told, counts] = await untilAborted(signal, within(limitMs, both)).catch((error) => {
      throw error.code === 'TIMEOUT' ? new RunError(`no first reply within ${limitMs / 1000} s`) : error;
    });
    const isGone = await succeeds(within(ENDS_WITHIN_MS, ended));
    return { start: { ...wholeOf(spawnedMs, told), keptAlive: !isGone }, counts };
  } finally {
    child.kill('SIGKILL');
    await ended;
    await unguard();
    if (child.pid !== undefined) onEnd(child.pid);
  }
}

/** @typedef {{user: number, kernel: number | null}[]} Counts per part */

/**
 * Pauses the process around each part, to count nothing else.
 * @param {ChildProcess} child @param {Counter} counter @param {Promise<unknown>} outcome rejects if it ends early
 */
async function countParts({ pid, stdio }, counter, outcome) {
  const turns = /** @type {Duplex} */ (stdio[4]);
  // The outcome reports a killed process.
  turns.on('error', () => {});
  const turn = () => Promise.race([once(turns, 'data'), outcome]).catch(() => outcome);
  /** @type {Counts} */
  const counts = [];
  await turn();
  while (counts.length < PARTS) {
    const { user, kernel } = await counter.count(Number(pid), () => {
      turns.write('\n');
      return turn();
    });
    counts.push({ user, kernel });
    turns.write('\n');
    if (counts.length < PARTS) await turn();
  }
  return counts;
}

/** @param {number} spawnedMs @param {any} told by the process @returns {Omit<ColdStart, 'keptAlive'>} */
function wholeOf(spawnedMs, { begun, ...told }) {
  const parts = { ...told, startMs: begun.atMs - spawnedMs, startCpuMs: begun.cpuMs };
  const all = (/** @type {'Ms' | 'CpuMs'} */ what) =>
    sum(['start', 'import', 'connect', 'reply'].map((part) => parts[`${part}${what}`]));
  return { ...parts, firstReplyMs: all('Ms'), cpuMs: all('CpuMs') };
}
