import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sum } from 'simple-statistics';
import { RunError } from '../core/errors.js';
import { reasonIn } from '../core/process/answering.js';
import { guardAgainstOutliving, onCpus, startProcess } from '../core/process/spawn.js';
import { succeeds, untilAborted, within } from '../core/process/wait.js';
import { sharedClock } from '../core/shared-clock.js';

/** @import { ColdStart, Job } from '../core/worker/types.js' */

const ENTRY = fileURLToPath(new URL('./child.js', import.meta.url));
const ENDS_WITHIN_MS = 1000;

/**
 * @param {Job} job
 * @param {{nodeBin: string, cpus: number[] | null, limitMs: number, signal: AbortSignal,
 *   onEnd: (pid: number) => void}} how
 * @returns {Promise<ColdStart>}
 * @throws {RunError} if there was no reply
 */
export async function startColdProcess(job, { nodeBin, cpus, limitMs, signal, onEnd }) {
  const spawnedMs = sharedClock();
  const { child, tail, ended } = startProcess(onCpus(cpus, [nodeBin, ENTRY]), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const unguard = guardAgainstOutliving(child.pid, 0);
  // Last, because the guard must start first: no client may outlive a killed tool.
  child.stdin?.end(JSON.stringify(job));
  async function tellOutcome() {
    const outcome = await text(/** @type {any} */ (child.stdio[3])).catch(() => '');
    if (outcome === '') throw new RunError(`its process ${await ended}${reasonIn(tail())}`);
    const told = JSON.parse(outcome);
    if (told.error !== undefined) throw new RunError(told.error);
    return told;
  }
  try {
    const told = await untilAborted(signal, within(limitMs, tellOutcome())).catch((error) => {
      throw error.code === 'TIMEOUT' ? new RunError(`no first reply within ${limitMs / 1000} s`) : error;
    });
    const isGone = await succeeds(within(ENDS_WITHIN_MS, ended));
    return { ...wholeOf(spawnedMs, told), keptAlive: !isGone };
  } finally {
    child.kill('SIGKILL');
    await ended;
    await unguard();
    if (child.pid !== undefined) onEnd(child.pid);
  }
}

/** @param {number} spawnedMs @param {any} told by the process @returns {Omit<ColdStart, 'keptAlive'>} */
function wholeOf(spawnedMs, { begun, ...told }) {
  const parts = { ...told, startMs: begun.atMs - spawnedMs, startCpuMs: begun.cpuMs };
  const all = (/** @type {'Ms' | 'CpuMs'} */ what) =>
    sum(['start', 'import', 'connect', 'reply'].map((part) => parts[`${part}${what}`]));
  return { ...parts, firstReplyMs: all('Ms'), cpuMs: all('CpuMs') };
}
