import { rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, RunError } from '../core/errors.js';
import { removeLeftovers } from '../core/leftovers.js';
import { run } from '../core/process/spawn.js';
import { createRunnerApart, runApartAtDistance } from '../core/run/apart.js';
import { recordFailure } from '../core/run/cell-log.js';
import { createPrivateFolder } from '../core/server/private-folder.js';
import { jobOf } from '../core/worker/cell-worker.js';
import { installedSize } from './installed-size.js';
import { startColdProcess } from './process.js';
import { createColdRun } from './record.js';

/** @import { Cell } from '../core/plan/types.js' */
/** @import { GroupContext, RunContext } from '../benchmark/run/contexts.js' */

/** Of each process, by default. */
const LIMIT_MS = 10_000;

/** @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) => runApartAtDistance(cells, context, createColdRunner);

/** Each operation is a fresh process; the first failure ends all. @param {Cell} cell @param {RunContext} context */
function createColdRunner(cell, context) {
  const { settings, signal } = context;
  const iterations = Number(settings.iterations);
  let hasFailed = false;
  /** Of the library, which no run changes. @type {number | null} */
  let installedBytes = null;
  /** @type {ReturnType<typeof bundled> | null} */
  let bundling = null;
  async function prepare() {
    const { job, how } = await placed(cell, context);
    if (cell.bundle !== 'esbuild') return { job, how, bundledBytes: null };
    bundling ??= bundled(String(job.entry), signal);
    const { file, bytes } = await bundling;
    return { job: { ...job, entry: file }, how, bundledBytes: bytes };
  }
  /** @param {number} round */
  async function measure(round) {
    const { job, how, bundledBytes } = await prepare();
    const starts = [];
    while (starts.length < iterations) starts.push(await startColdProcess(job, how));
    if (job.entry !== null) installedBytes ??= bundledBytes ?? installedSize(job.entry);
    const known = { iterations, effectiveOptions: starts[0].effectiveOptions };
    return { run: createColdRun(round, starts, installedBytes), known };
  }
  const { log, ...runner } = createRunnerApart(cell, context, measure, (error, when) => {
    hasFailed = true;
    return recordFailure(error, when, log, context);
  });
  return {
    ...runner,
    run: async (/** @type {number} */ round) => (hasFailed ? undefined : runner.run(round)),
    async end() {
      const bundle = await bundling?.catch(() => null);
      await bundle?.remove();
    },
    /** It only reads a key that does not exist. */
    areKeysRemoved: () => true,
  };
}

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

const require = createRequire(import.meta.url);

/** In one file, as cloud functions are deployed. @param {string} entry @param {AbortSignal} signal */
async function bundled(entry, signal) {
  const folder = await createPrivateFolder();
  const file = join(folder, 'library.cjs');
  const remove = () => rm(folder, { recursive: true });
  const options = ['--bundle', '--platform=node', '--log-level=error', '--color=false', `--outfile=${file}`];
  try {
    await run(require.resolve('esbuild/bin/esbuild'), [entry, ...options], { signal });
    return { file, bytes: (await stat(file)).size, remove };
  } catch (error) {
    await remove();
    const [, reason = messageOf(error)] = /\[ERROR\] (.*)/.exec(/** @type {any} */ (error).stderr) ?? [];
    throw new RunError(`esbuild cannot bundle it: ${reason}`);
  }
}
