import { fileURLToPath } from 'node:url';
import { removeLeftovers } from '../leftovers.js';
import { installedSize } from '../machine/installed-size.js';
import { createColdRun } from '../results/cold-record.js';
import { countedProcess } from '../results/count-record.js';
import { bundled } from './bundle.js';
import { recordFailure } from './cell-log.js';
import { jobOf } from './cell-worker.js';
import { startColdProcess } from './cold-process.js';
import { createCounting } from './count-cell.js';
import { createRunnerApart } from './runner-apart.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { CounterSource } from './types.js' */

/** Processes of a run where nothing else is asked for; how long each may take. */
const [PROCESSES, LIMIT_MS] = [5, 10_000];
/** Under valgrind, which counts. */
const TIMES_SLOWER = 20;

/**
 * A cell each of whose operations is a fresh process. The first that fails ends it; what was measured before stays.
 * @param {Cell} cell @param {RunContext} context
 */
export function createColdRunner(cell, context) {
  const { settings } = context;
  const iterations = typeof settings.iterations === 'number' ? settings.iterations : PROCESSES;
  const { prepare, end } = createLibrary(cell, context);
  let hasFailed = false;
  /** Of the library, which no run changes. @type {number | null} */
  let installedBytes = null;
  /** @param {number} round */
  async function measure(round) {
    const { job, how, bundledBytes } = await prepare();
    const starts = [];
    while (starts.length < iterations) starts.push((await startColdProcess(job, how)).start);
    if (job.entry !== null) installedBytes ??= bundledBytes ?? installedSize(job.entry);
    const known = { iterations, effectiveOptions: starts[0].effectiveOptions };
    return { run: createColdRun(round, starts, installedBytes), known };
  }
  const { log, ...runner } = createRunnerApart(cell, iterations, context, measure, (error, when) => {
    hasFailed = true;
    return recordFailure(error, when, log, context);
  });
  const count = createCounting(cell, log, context, async (source, start) =>
    countProcess(await prepare(), source, start),
  );
  return {
    ...runner,
    /** @type {typeof runner.slice} */
    slice: async (...given) => (hasFailed ? undefined : runner.slice(...given)),
    count: async (/** @type {number} */ start) => hasFailed || count(start, iterations),
    end,
    /** It only asks for a key that nobody has stored. */
    areKeysRemoved: () => true,
  };
}

/** What the processes of a cell load, in one file where that was asked for. @param {Cell} cell @param {RunContext} context */
function createLibrary(cell, context) {
  /** @type {ReturnType<typeof bundled> | null} */
  let bundling = null;
  return {
    async prepare() {
      const { job, how } = await placed(cell, context);
      if (cell.bundle !== 'esbuild') return { job, how, bundledBytes: null };
      bundling ??= bundled(String(job.entry), context.signal);
      const { file, bytes } = await bundling;
      return { job: { ...job, entry: file }, how, bundledBytes: bytes };
    },
    async end() {
      const bundle = await bundling?.catch(() => null);
      await bundle?.remove();
    },
  };
}

/** @typedef {Awaited<ReturnType<ReturnType<typeof createLibrary>['prepare']>>} Prepared */

/** @param {Prepared} prepared @param {CounterSource} source @param {number} start from 1 */
async function countProcess({ job, how }, source, start) {
  const counter = await source.open();
  try {
    const limitMs = how.limitMs * TIMES_SLOWER;
    const { counts } = await startColdProcess(job, { ...how, limitMs }, counter);
    return { counted: countedProcess({ start, source: source.name }, counts ?? []), isClean: true };
  } finally {
    await counter.close();
  }
}

/** @param {Cell} cell @param {RunContext} context what a process is told, and where it runs */
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
