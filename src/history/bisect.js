import { benchmark } from '../benchmark/benchmark.js';
import { metricOf } from '../benchmark/compare-reports.js';
import { factText } from '../benchmark/report/words/fact-words.js';
import { testText } from '../benchmark/report/words/legend.js';
import { follow } from '../benchmark/run/policies.js';
import { prepare, readGiven } from '../benchmark/run/prepare.js';
import { messageOf, RunError, UsageError } from '../core/errors.js';
import { releasesBetween, resolveReleases } from '../core/machine/releases.js';
import { samplesIn } from '../core/store/metrics.js';
import { loadCatalogue } from '../options/catalogue.js';
import { parseClient } from '../options/client-options.js';
import { bisection, endsOf, sideOf } from './bisection.js';
import { asPublished } from './releases.js';

/** @import { BenchmarkHooks, BenchmarkOptions } from '../benchmark/types.js' */
/** @import { Question } from './bisection.js' */

/** With this many tasks, the client's own CPU is the limit. */
const CELL = { scenarios: ['shared-connection'], tasks: [64], runs: 8 };

/**
 * @typedef {object} BisectOptions
 * @property {string} client `redis`, or with a variant: `redis:tuned`
 * @property {string} from @property {string} to
 * @property {string} [metric] `cpuUsPerOp` by default
 * @property {boolean} [dryRun] returns the list of releases and measures nothing
 *
 * @typedef {Omit<BenchmarkOptions, 'clients' | 'suite'> & BisectOptions} Given
 * @typedef {Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'>} MeasuringHooks
 * @typedef {Awaited<ReturnType<typeof createBench>>} Bench
 *
 * @typedef {object} Bisection plain JSON
 * @property {string} client @property {string} metric @property {string} unit
 * @property {string[]} releases the oldest first
 * @property {Awaited<ReturnType<typeof measureEnds>> | null} ends null until measured
 * @property {Awaited<ReturnType<typeof ask>>[]} questions
 * @property {{before: string, after: string}[]} steps each change: the last release before it, the first after it
 */

/**
 * Finds the release of a client that changed a figure.
 * @param {Given} given @param {MeasuringHooks & {onStep?: (soFar: Bisection) => void}} [hooks]
 * @returns {Promise<Bisection>} @throws {UsageError | ServerError | RunError}
 */
export async function bisect({ dryRun = false, ...given }, { onStep = () => {}, ...hooks } = {}) {
  const bench = await createBench(given, hooks);
  const { releases, metric } = bench;
  await checkOneCell(bench);
  const { id, unit } = metric;
  /** @type {Bisection} */
  const found = { client: given.client, metric: id, unit, releases, ends: null, questions: [], steps: [] };
  if (dryRun) return found;

  found.ends = await measureEnds(bench);
  onStep(found);
  if (!found.ends.contrast.differs) return found;
  const steps = await follow(bisection(releases.length), async (question) => {
    const answer = await ask(bench, question);
    found.questions.push(answer);
    onStep(found);
    return answer.side;
  });
  found.steps = (steps ?? []).map((step) => ({ before: releases[step.before], after: releases[step.after] }));
  return found;
}

/** @param {Given} given @param {MeasuringHooks} hooks */
async function createBench({ client: name, from, to, metric = 'cpuUsPerOp', ...cell }, hooks) {
  const catalogue = await loadCatalogue(hooks.pluginFolders);
  const { client, variant, wanted } = parseClient(name, catalogue.clients);
  if (wanted !== null) {
    throw new UsageError(
      `--client: expected a client without a release, got '${name}'; --from and --to say which`,
    );
  }
  const known = metricOf(metric);
  const releases = await releasesBetween({ client, from, to }, catalogue, hooks.signal);
  const clientAt = (/** @type {number} */ index) => `${client}@${releases[index]}:${variant}`;
  const options = { ...CELL, ...cell };
  return { client, releases, clientAt, metric: known, options, catalogue, hooks };
}

/** Before anything is measured or installed. @param {Bench} bench @throws {UsageError} if its options make several cells */
async function checkOneCell({ clientAt, options, hooks }) {
  const { signal = new AbortController().signal, pluginFolders = {}, urlOrigin } = hooks;
  const asked = await readGiven({ ...options, clients: [clientAt(0)] }, { pluginFolders, urlOrigin });
  const { cells } = await prepare(asked, null, { signal, onEvent() {}, findReleases: asPublished });
  if (cells.length === 1) return;
  const [one, other] = cells.map(({ id }) => `'${id}'`);
  throw new UsageError(
    `expected options of one cell, because bisect measures one, but these make ${cells.length}, such as ${one} and ${other}`,
  );
}

/** @param {Bench} bench @param {number[]} indices in `releases`, interleaved @returns samples per release, and why there are none */
async function measure({ clientAt, metric, options, hooks }, indices) {
  const report = await benchmark({ ...options, clients: indices.map(clientAt), profile: false }, hooks);
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

/** @template {{tested: Parameters<typeof testText>[0]}} T @param {T} found */
const inWords = ({ tested, ...found }) => ({ ...found, test: testText(tested) });

/** @param {Bench} bench @param {Question} question @returns what it is like, or why it cannot be measured */
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

const BROKEN = {
  side: /** @type {const} */ ('broken'),
  sure: true,
  medians: null,
  toLow: null,
  toHigh: null,
  test: null,
};
