import { rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { median, sum } from 'simple-statistics';
import { messageOf, RunError } from '../core/errors.js';
import { removeLeftovers } from '../core/leftovers.js';
import { reasonIn } from '../core/process/answering.js';
import { guardAgainstOutliving, onCpus, run, startProcess } from '../core/process/spawn.js';
import { succeeds, untilAborted, within } from '../core/process/wait.js';
import { atDistance, runApart } from '../core/run/apart.js';
import { jobOf } from '../core/run/cell-worker.js';
import { createPrivateFolder } from '../core/server/private-folder.js';
import { sharedClock } from '../core/shared-clock.js';
import { runOfTimes } from '../core/store/run-record.js';
import { installedSize } from './installed-size.js';

/** @import { Cell } from '../core/plan/types.js' */
/** @import { GroupContext, RunContext } from '../core/run/types.js' */
/** @import { ColdRun, Run } from '../core/store/types.js' */
/** @import { ColdStart, Job } from '../core/worker/types.js' */

const require = createRequire(import.meta.url);
const ENTRY = fileURLToPath(new URL('./child.js', import.meta.url));
/** Of each process, by default. */
const LIMIT_MS = 10_000;
const ENDS_WITHIN_MS = 1000;

/** Each operation is a fresh process; the first failure ends all of its cell. @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) =>
  atDistance(cells, context, async (contextOf) => {
    const iterations = Number(context.settings.iterations);
    const libraries = createLibraries(context.signal);
    /** @type {Set<Cell>} */
    const failed = new Set();
    /** @param {Cell} cell @param {number} round */
    async function measure(cell, round) {
      if (failed.has(cell)) return null;
      failed.add(cell);
      const { job, how } = await placed(cell, contextOf(cell));
      const { entry, installedBytes } = await libraries.of(job.entry, cell.bundle === 'esbuild');
      const starts = [];
      while (starts.length < iterations) starts.push(await startColdProcess({ ...job, entry }, how));
      failed.delete(cell);
      const known = { iterations, effectiveOptions: starts[0].effectiveOptions };
      return { run: createColdRun(round, starts, installedBytes), known };
    }
    try {
      return await runApart(cells, context, measure);
    } finally {
      await libraries.remove();
    }
  });

/** @param {Cell} cell @param {RunContext} context */
async function placed(cell, context) {
  const { placer, catalogue, signal, settings } = context;
  const placement = placer.placementFor(cell.pin);
  await placer.pinServer(placement);
  const job = await jobOf(cell, context);
  const plugin = catalogue.clients.get(cell.client);
  const own = plugin?.package == null ? null : fileURLToPath(import.meta.resolve(plugin.package));
  return {
    job: { ...job, entry: job.entry ?? own },
    how: {
      nodeBin: cell.runtime?.path ?? process.execPath,
      cpus: placement.workerCpus,
      limitMs: Math.min(LIMIT_MS, settings.runTimeoutMs ?? LIMIT_MS),
      signal,
      onEnd: (/** @type {number} */ pid) => removeLeftovers(plugin?.leaves?.(pid)),
    },
  };
}

/** @typedef {{entry: string | null, installedBytes: number | null}} Library null for a client without one */

/** As installed or in one file, which no run changes. @param {AbortSignal} signal */
function createLibraries(signal) {
  /** @type {Map<string, Promise<Library>>} */
  const known = new Map();
  /** @type {string[]} */
  const folders = [];
  /** In one file, as cloud functions are deployed. @param {string} entry */
  async function bundled(entry) {
    const folder = await createPrivateFolder();
    folders.push(folder);
    const file = join(folder, 'library.cjs');
    const options = ['--bundle', '--platform=node', '--log-level=error', '--color=false'];
    try {
      await run(require.resolve('esbuild/bin/esbuild'), [entry, ...options, `--outfile=${file}`], { signal });
    } catch (error) {
      const [, reason = messageOf(error)] = /\[ERROR\] (.*)/.exec(/** @type {any} */ (error).stderr) ?? [];
      throw new RunError(`esbuild cannot bundle it: ${reason}`);
    }
    return { entry: file, installedBytes: (await stat(file)).size };
  }
  return {
    /** @param {string | null} entry @param {boolean} isBundled @returns {Promise<Library>} */
    of(entry, isBundled) {
      if (entry === null) return Promise.resolve({ entry, installedBytes: null });
      const key = `${isBundled} ${entry}`;
      const library =
        known.get(key) ??
        (isBundled ? bundled(entry) : Promise.resolve({ entry, installedBytes: installedSize(entry) }));
      known.set(key, library);
      return library;
    },
    remove: () => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))),
  };
}

/**
 * @param {Job} job @param {Awaited<ReturnType<typeof placed>>['how']} how
 * @returns {Promise<ColdStart>} @throws {RunError} if there was no reply
 */
async function startColdProcess(job, { nodeBin, cpus, limitMs, signal, onEnd }) {
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

/** @param {number} round from 1 @param {ColdStart[]} starts @param {number | null} installedBytes @returns {Run} */
function createColdRun(round, starts, installedBytes) {
  const timesMs = starts.map(({ firstReplyMs }) => Number(firstReplyMs));
  const kept = starts.filter(({ keptAlive }) => keptAlive).length;
  const cold = { ...mediansOf(starts), installedBytes };
  const run = runOfTimes({
    ...{ round, elapsedMs: sum(timesMs), timesMs },
    ...{ operations: starts.length, connections: starts.length, peakRssBytes: Number(cold.rssBytes) },
  });
  return {
    ...run,
    // With a few processes, one that was disturbed would distort the mean.
    opsPerSecond: 1000 / Number(cold.firstReplyMs),
    client: run.client && { ...run.client, cpuUsPerOp: Number(cold.cpuMs) * 1000 },
    cold,
    ...(kept > 0 && { warningFacts: [{ kind: 'kept-alive', processes: kept, of: starts.length }] }),
  };
}

/** @param {ColdStart[]} starts @returns {Omit<ColdRun, 'installedBytes'>} */
function mediansOf(starts) {
  const [{ keptAlive, effectiveOptions, ...first }] = starts;
  const names = /** @type {(keyof typeof first)[]} */ (Object.keys(first));
  const of = (/** @type {keyof typeof first} */ name) => starts.flatMap((each) => each[name] ?? []);
  const figures = names.map((name) => [name, of(name).length === 0 ? null : median(of(name))]);
  return /** @type {any} */ (Object.fromEntries(figures));
}
