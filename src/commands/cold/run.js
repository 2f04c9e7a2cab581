import { rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { mean, sum } from '../../descriptive-statistics.js';
import { messageOf, RunError } from '../../errors.js';
import { middleOf } from '../../numbers.js';
import { reasonIn } from '../../process/answering.js';
import { removeLeftovers } from '../../process/leftovers.js';
import { sharedClock } from '../../process/shared-clock.js';
import { guardAgainstOutliving, onCpus, run, startProcess } from '../../process/spawn.js';
import { succeeds, untilAborted, within } from '../../process/wait.js';
import { withEmitted } from '../../run/cell-log.js';
import { jobOf } from '../../run/cell-worker.js';
import { runApart, withRelays } from '../../run/independent-runs.js';
import { createPrivateFolder } from '../../server/private-folder.js';
import { runOfTimes } from '../../store/run-record.js';
import { installedSize } from './installed-size.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { GroupContext, RunContext } from '../../run/types.js' */
/** @import { Run } from '../../store/types.js' */
/** @import { ColdRun } from './types.js' */
/** @import { Emitted, Job } from '../../worker/types.js' */

/** @typedef {Omit<ColdRun, 'installedBytes'>} ColdTimes */
/**
 * @typedef {ColdTimes & {keptAlive: boolean, effectiveOptions: Record<string, unknown>, emitted: Emitted | null}} ColdStart
 *   `keptAlive`: after its connection was closed
 */
/** @typedef {{entry: string | null, installedBytes: number | null}} Library null for a client without one */

const require = createRequire(import.meta.url);
const ENTRY = fileURLToPath(new URL('./child.js', import.meta.url));
/** A process may take as long by default. */
const LIMIT_MS = 10_000;
const ENDS_WITHIN_MS = 1000;

/** Each operation is a fresh process; the first failure ends all of its cell. @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) =>
  withRelays(cells, context, async (contextOf) => {
    const iterations = Number(context.settings.iterations);
    const folder = await createPrivateFolder();
    /** No run changes them. @type {Map<string, Library>} */
    const libraries = new Map();
    /** @param {Job} job @param {boolean} isBundled */
    async function libraryOf({ entry }, isBundled) {
      if (entry === null) return { entry, installedBytes: null };
      const key = `${isBundled} ${entry}`;
      const known =
        libraries.get(key) ??
        (isBundled
          ? await bundle(entry, join(folder, `${libraries.size}.cjs`), context.signal)
          : { entry, installedBytes: installedSize(entry) });
      libraries.set(key, known);
      return known;
    }
    /** @type {Set<Cell>} */
    const failed = new Set();
    const done = runApart(cells, context, async (cell, round, log) => {
      if (failed.has(cell)) return null;
      failed.add(cell);
      const { job, how } = await placed(cell, contextOf(cell));
      const { entry, installedBytes } = await libraryOf(job, cell.bundle === 'esbuild');
      const starts = [];
      while (starts.length < iterations) {
        const start = await startColdProcess({ ...job, entry }, how, log.noteEmitted);
        log.noteEmitted(start.emitted);
        starts.push(start);
      }
      failed.delete(cell);
      log.learn({ iterations, effectiveOptions: starts[0].effectiveOptions });
      return withEmitted(createColdRun(round, starts, installedBytes), log.takeEmitted());
    });
    return done.finally(() => rm(folder, { recursive: true }));
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
      node: [cell.runtime?.path ?? process.execPath, ...(cell.imported?.args ?? [])],
      cpus: placement.workerCpus,
      limitMs: Math.min(LIMIT_MS, settings.runTimeoutMs ?? LIMIT_MS),
      rttMs: cell.distance?.rttMs ?? 0,
      signal,
      onEnd: (/** @type {number} */ pid) => removeLeftovers(plugin?.tempFilePrefix?.(pid)),
    },
  };
}

/** Into one file, as cloud functions are deployed. @param {string} entry @param {string} file @param {AbortSignal} signal */
async function bundle(entry, file, signal) {
  const options = ['--bundle', '--platform=node', '--log-level=error', '--color=false'];
  try {
    await run(require.resolve('esbuild/bin/esbuild'), [entry, ...options, `--outfile=${file}`], { signal });
  } catch (error) {
    const [, reason = messageOf(error)] = /\[ERROR\] (.*)/.exec(Object(error).stderr) ?? [];
    throw new RunError(`esbuild cannot bundle it: ${reason}`);
  }
  return { entry: file, installedBytes: (await stat(file)).size };
}

/**
 * @param {Job} job @param {Awaited<ReturnType<typeof placed>>['how']} how
 * @param {(emitted: Emitted | null) => void} onFailure
 * @returns {Promise<ColdStart>} @throws {RunError} if there was no reply
 */
async function startColdProcess(job, { node, cpus, limitMs, rttMs, signal, onEnd }, onFailure) {
  const spawnedMs = sharedClock();
  const { child, tail, ended } = startProcess(onCpus(cpus, [...node, ENTRY]), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const unguard = guardAgainstOutliving(child.pid, 0);
  // Last, because the guard must start first: no client may outlive a killed tool.
  child.stdin?.end(JSON.stringify(job));
  async function tellOutcome() {
    const outcome = await text(/** @type {NodeJS.ReadableStream} */ (child.stdio[3])).catch(() => '');
    if (outcome === '') throw new RunError(`its process ${await ended}${reasonIn(tail())}`);
    const told = JSON.parse(outcome);
    if (told.error === undefined) return told;
    onFailure(told.emitted);
    throw new RunError(told.error);
  }
  try {
    const outcome = tellOutcome();
    const told = await untilAborted(signal, within(limitMs, outcome)).catch(async (error) => {
      if (error.code !== 'TIMEOUT') throw error;
      child.kill('SIGTERM');
      await succeeds(within(ENDS_WITHIN_MS, outcome));
      throw new RunError(`no first reply within ${limitMs / 1000} s`);
    });
    const isGone = await succeeds(within(ENDS_WITHIN_MS, ended));
    return { ...wholeOf(spawnedMs, told, rttMs), keptAlive: !isGone };
  } finally {
    child.kill('SIGKILL');
    await ended;
    await unguard();
    if (child.pid !== undefined) onEnd(child.pid);
  }
}

/**
 * A relay cannot delay the opening of a connection, so it delays what is read first. A client that has connected without
 * reading anything, such as redis@4, waits for that in its first reply.
 * @param {number} spawnedMs @param {any} told by the process @param {number} rttMs of the relay @returns {Omit<ColdStart, 'keptAlive'>}
 */
function wholeOf(spawnedMs, { begun, isUnread, ...told }, rttMs) {
  const openingMs = isUnread ? Math.min(rttMs, told.replyMs) : 0;
  const parts = {
    ...told,
    startMs: begun.atMs - spawnedMs,
    startCpuMs: begun.cpuMs,
    connectMs: told.connectMs + openingMs,
    replyMs: told.replyMs - openingMs,
  };
  const all = (/** @type {'Ms' | 'CpuMs'} */ what) =>
    sum(['start', 'import', 'connect', 'reply'].map((part) => parts[`${part}${what}`]));
  return { ...parts, firstReplyMs: all('Ms'), cpuMs: all('CpuMs') };
}

/** @param {number} round from 1 @param {ColdStart[]} starts @param {number | null} installedBytes @returns {Run} */
function createColdRun(round, starts, installedBytes) {
  const timesMs = starts.map(({ firstReplyMs }) => Number(firstReplyMs));
  const kept = starts.filter(({ keptAlive }) => keptAlive).length;
  const inMiddle = middleOf(starts, ({ firstReplyMs }) => Number(firstReplyMs));
  const figures = inMiddle.map(({ keptAlive, effectiveOptions, emitted: _, ...times }) => times);
  const cold = { ...meansOf(figures), installedBytes };
  const timed = runOfTimes({
    round,
    elapsedMs: sum(timesMs),
    timesMs,
    operations: starts.length,
    connections: starts.length,
    peakRssBytes: Number(cold.rssBytes),
  });
  return {
    ...timed,
    // With a few processes, one that was disturbed would distort the mean.
    opsPerSecond: 1000 / Number(cold.firstReplyMs),
    client: timed.client && { ...timed.client, cpuUsPerOp: Number(cold.cpuMs) * 1000 },
    cold,
    ...(kept > 0 && { warningFacts: [{ kind: 'kept-alive', processes: kept, of: starts.length }] }),
  };
}

/** @param {Record<string, number | null>[]} starts @returns {ColdTimes} */
function meansOf(starts) {
  const figures = Object.keys(starts[0]).map((name) => {
    const known = starts.flatMap((each) => each[name] ?? []);
    return [name, known.length === 0 ? null : mean(known)];
  });
  return Object.fromEntries(figures);
}
