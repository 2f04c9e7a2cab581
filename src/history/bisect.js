import { benchmark } from '../benchmark/benchmark.js';
import { metricOf } from '../benchmark/findings/compare-reports.js';
import { factText } from '../benchmark/report/words/fact-words.js';
import { testText } from '../benchmark/report/words/legend.js';
import { follow } from '../benchmark/run/policies.js';
import { messageOf, RunError, UsageError } from '../core/errors.js';
import { releasesBetween, resolveReleases } from '../core/machine/releases.js';
import { requestOf } from '../core/plan/loads.js';
import { externalTargets } from '../core/server/target.js';
import { samplesIn } from '../core/store/metrics.js';
import { loadCatalogue, loadOptions } from '../options/catalogue.js';
import { parseClient } from '../options/client-options.js';
import { choicesOf, idOfName } from '../options/plugin-names.js';
import { flagOf, readOption } from '../options/read.js';
import { codeDifference } from '../why/code-difference.js';
import { bisection } from './bisection.js';
import { endsOf, sideOf } from './side.js';

/** @import { CodeDifference, Sample, Tested } from '../benchmark/judge/types.js' */
/** @import { Metric } from '../core/store/types.js' */
/** @import { OptionTable, Settings } from '../options/types.js' */
/** @import { Question } from './bisection.js' */
/** @import { Catalogue } from '../core/plugins/types.js' */
/** @import { BenchmarkHooks, BenchmarkOptions, Bisection } from '../benchmark/types.js' */

/** With this many tasks, the client's own CPU is the limit. */
const CELL = { scenarios: ['shared-connection'], tasks: [64], runs: 8 };

/**
 * @typedef {object} BisectOptions
 * @property {string} client `redis`, or with a variant: `redis:tuned`
 * @property {string} from @property {string} to
 * @property {string} [metric] `cpuUsPerOp` by default
 * @property {boolean} [dryRun] returns the list of releases and measures nothing
 *
 * @typedef {Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'>} MeasuringHooks
 */

/**
 * Finds the release of a client that changed a figure.
 * @param {Omit<BenchmarkOptions, 'clients' | 'suite'> & BisectOptions} given
 * @param {MeasuringHooks & {onStep?: (soFar: Bisection) => void}} [hooks]
 * @returns {Promise<Bisection>} @throws {UsageError | ServerError | RunError}
 */
export async function bisect(given, { onStep = () => {}, ...hooks } = {}) {
  const { client: clientName, from, to, metric: name = 'cpuUsPerOp', dryRun = false, ...cell } = given;
  const metric = metricOf(name);
  const settings = checkOneCell(cell, await loadOptions(hooks.pluginFolders));
  const catalogue = await loadCatalogue(hooks.pluginFolders);
  checkOneWay(settings, catalogue);
  const { client, variant, wanted } = parseClient(clientName, catalogue.clients);
  if (wanted !== null) {
    throw new UsageError(
      `--client: expected a client without a release, got '${clientName}'; --from and --to say which`,
    );
  }
  const releases = await releasesBetween({ client, from, to }, catalogue, hooks.signal);
  /** @type {Bisection} */
  const found = {
    client: clientName,
    metric: metric.id,
    unit: metric.unit,
    releases,
    ends: null,
    questions: [],
    steps: [],
  };
  if (dryRun) return found;

  /** @type {Bench} */
  const bench = { client, variant, releases, metric, cell, catalogue, hooks };
  found.ends = await measureEnds(bench);
  onStep(found);
  if (!found.ends.contrast.differs) return found;
  const steps = await follow(bisection(releases.length), async (question) => {
    const answer = await ask(bench, question);
    found.questions.push(answer);
    onStep(found);
    return answer.side;
  });
  for (const { before, after } of steps ?? []) {
    const code = await codeOf(bench, [before, after]);
    found.steps.push({ before: releases[before], after: releases[after], code });
  }
  return found;
}

/** Enough for the CPU time per operation, of which a profile gives shares. */
const PROFILED_RUNS = 2;
const ALLOCATION = 'allocatedBytesPerOp';

/**
 * @param {Bench} bench @param {[before: number, after: number]} indices
 * @returns {Promise<CodeDifference | null>} null if it cannot be profiled; the change is still reported
 */
async function codeOf({ client, variant, releases, metric, cell, hooks }, indices) {
  const clients = indices.map((index) => `${client}@${releases[index]}:${variant}`);
  const kind = metric.id === ALLOCATION ? 'heap' : 'cpu';
  try {
    const options = { ...CELL, ...cell, clients, runs: PROFILED_RUNS, starts: 1, profile: kind };
    const { cells } = await benchmark(options, hooks);
    return codeDifference(cells[1], cells[0], kind);
  } catch (error) {
    if (error instanceof RunError || error instanceof UsageError) return null;
    throw error;
  }
}

const BROKEN = /** @type {const} */ ({
  side: 'broken',
  sure: true,
  medians: null,
  toLow: null,
  toHigh: null,
  test: null,
});

/**
 * @typedef {object} Bench
 * @property {string} client
 * @property {string} variant
 * @property {string[]} releases
 * @property {Metric} metric
 * @property {Record<string, unknown>} cell options
 * @property {Catalogue} catalogue
 * @property {Parameters<typeof benchmark>[1]} hooks
 */

/** @typedef {{samples: Sample[], reasons: (string | null)[]}} Measured per release; `reasons` for missing figures */

/** @param {Bench} bench @param {number[]} indices in `releases`, interleaved @returns {Promise<Measured>} */
async function measure({ client, variant, releases, metric, cell, hooks }, indices) {
  const clients = indices.map((index) => `${client}@${releases[index]}:${variant}`);
  const report = await benchmark({ ...CELL, ...cell, clients, profile: false }, hooks);
  if (report.partial) throw new RunError(report.failure ?? 'interrupted before there was a result');
  return {
    samples: report.cells.map((each) => samplesIn(each, metric)),
    reasons: report.cells.map(({ skipped, runs }) =>
      skipped ? factText(skipped) : (runs.find((run) => run.failed)?.failed ?? null),
    ),
  };
}

/** @param {Bench} bench @throws {RunError} when an end has no figures */
async function measureEnds(bench) {
  const { releases } = bench;
  const { samples, reasons } = await measure(bench, [0, releases.length - 1]);
  const ends = endsOf(samples);
  if (ends !== null) return inWords(ends);
  const reason = reasons.find(Boolean) ?? 'its runs have no such figure';
  throw new RunError(`${releases[0]} and ${releases.at(-1)} cannot be compared: ${reason}`);
}

/** @template {{tested: Tested}} T @param {T} found */
const inWords = ({ tested, ...found }) => ({ ...found, test: testText(tested) });

/** @param {Bench} bench @param {Question} question */
async function ask(bench, { low, middle, high }) {
  const { client, releases, catalogue, hooks } = bench;
  const names = { low: releases[low], release: releases[middle], high: releases[high] };
  try {
    await resolveReleases([{ client, wanted: names.release }], catalogue, hooks);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...names, ...BROKEN, reason: messageOf(error) };
  }
  const { samples, reasons } = await measure(bench, [low, middle, high]);
  const found = sideOf(samples);
  if (found !== null) return { ...names, ...inWords(found), reason: null };
  // An end that worked before has failed, which says nothing about this release.
  if (reasons[1] === null) throw new RunError(`an end gave no figures: ${reasons.find(Boolean)}`);
  return { ...names, ...BROKEN, reason: reasons[1] };
}

/** @param {Record<string, unknown>} cell @param {OptionTable} table @returns {Record<string, any>} */
function checkOneCell(cell, table) {
  /** @type {Record<string, any>} */
  const settings = {};
  for (const [name, value] of Object.entries(cell)) {
    const option = table[name];
    const read = option && value !== undefined ? readOption(option, value) : undefined;
    settings[name] = read;
    if (Array.isArray(read) && read.length > 1) {
      throw new UsageError(
        `${flagOf(option)}: expected one value, because bisect measures one cell, got '${read.map(textOf)}'`,
      );
    }
  }
  const servers = externalTargets(/** @type {Pick<Settings, 'url' | 'socket'>} */ (cell));
  if (servers.length > 1) {
    throw new UsageError(
      `--url: expected one server, because bisect measures one cell, got ${servers.length}`,
    );
  }
  return settings;
}

/** Each way is a cell. @param {Record<string, any>} settings @param {Catalogue} catalogue */
function checkOneWay({ way, workload = [], ...settings }, catalogue) {
  if (way !== undefined) return;
  // The user's own files are not loaded yet.
  const known = workload.filter(
    (/** @type {string} */ name) => catalogue.workloads.get(idOfName(name))?.request,
  );
  const given = /** @type {any} */ ({ ...settings, workload: known, pipelining: [] });
  for (const [name, chosen] of choicesOf(given, catalogue).workload) {
    if (requestOf(chosen, catalogue) === undefined) continue;
    throw new UsageError(
      `--way: expected one value, because bisect measures one cell, and ${name} can be sent in several ways; add --way pipeline or another`,
    );
  }
}

/** @param {unknown} value */
const textOf = (value) => String(/** @type {{name?: string} | null} */ (value)?.name ?? value);
