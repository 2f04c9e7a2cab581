import { messageOf, RunError, UsageError } from '../../errors.js';
import { releasesBetween, resolveReleases } from '../../machine/releases.js';
import { loadCatalogue } from '../../options/catalogue.js';
import { parseClient } from '../../options/client-options.js';
import { factText } from '../../report/fact-words.js';
import { contrastAll, medianOf } from '../../statistics/contrasts.js';
import { countStarts } from '../../statistics/start-test.js';
import { samplesIn } from '../../store/metrics.js';
import { benchmark } from '../benchmark/benchmark.js';
import { metricOf } from '../benchmark/compare-reports.js';
import { testText } from '../benchmark/report/words/legend.js';
import { cellsOf } from './releases.js';

/** @import { BenchmarkHooks, BenchmarkOptions } from '../benchmark/types.js' */
/** @import { Sample } from '../../store/types.js' */
/** @import { Contrast } from '../../statistics/contrasts.js' */

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
  const cells = await cellsOf({ ...bench.options, clients: [bench.clientAt(0)] }, hooks);
  if (cells.length !== 1) {
    const [one, other] = cells.map(({ id }) => `'${id}'`);
    throw new UsageError(
      `expected options of one cell, because bisect measures one, but these make ${cells.length}, such as ${one} and ${other}`,
    );
  }
  const { id, unit } = metric;
  /** @type {Bisection} */
  const found = { client: given.client, metric: id, unit, releases, ends: null, questions: [], steps: [] };
  if (dryRun) return found;

  found.ends = await measureEnds(bench);
  onStep(found);
  if (!found.ends.contrast.differs) return found;
  const search = bisection(releases.length);
  let next = search.next();
  while (!next.done) {
    const answer = await ask(bench, next.value);
    found.questions.push(answer);
    onStep(found);
    next = search.next(answer.side);
  }
  found.steps = next.value.map((step) => ({ before: releases[step.before], after: releases[step.after] }));
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
  const isOfOneStart = samples.every((sample) => countStarts(sample) === 1);
  const reason =
    reasons.find(Boolean) ??
    (isOfOneStart
      ? 'one start of each does not show how much starts differ; use --starts 4'
      : 'its runs have no such figure');
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

/** @type {{side: Answer, sure: boolean, medians: null, toLow: null, toHigh: null, test: null}} */
const BROKEN = {
  side: 'broken',
  sure: true,
  medians: null,
  toLow: null,
  toHigh: null,
  test: null,
};

/**
 * Which release to measure next, until every change of a figure lies between two neighbours. Releases are numbered by
 * their order; the first and the last are known to differ.
 *
 * @typedef {{low: number, middle: number, high: number}} Question is the release in the middle like the one below or above?
 *
 * @typedef {'low' | 'high' | 'between' | 'broken'} Answer `between`: it differs from both, so the change comes in several
 * steps; `broken`: it cannot be measured
 *
 * @typedef {{before: number, after: number}} Step a change came after `before` and is there with `after`; what lies
 * between could not be measured
 */

/** @param {number} count of releases @returns {Generator<Question, Step[], Answer>} */
export const bisection = (count) => search(0, count - 1, { low: 0, high: count - 1 }, new Set());

/**
 * @param {number} before the newest that is like `references.low` @param {number} after the oldest that is like `references.high`
 * @param {{low: number, high: number}} references what candidates are compared with
 * @param {Set<number>} broken @returns {Generator<Question, Step[], Answer>}
 */
function* search(before, after, references, broken) {
  const candidates = Array.from({ length: after - before - 1 }, (_, index) => before + 1 + index);
  const distance = (/** @type {number} */ each) => Math.abs(each - (before + after) / 2);
  const [middle] = candidates.filter((each) => !broken.has(each)).sort((a, b) => distance(a) - distance(b));
  if (middle === undefined) return [{ before, after }];
  const answer = yield { ...references, middle };
  switch (answer) {
    case 'low':
      return yield* search(middle, after, references, broken);
    case 'high':
      return yield* search(before, middle, references, broken);
    case 'between':
      return [
        ...(yield* search(before, middle, { ...references, high: middle }, broken)),
        ...(yield* search(middle, after, { ...references, low: middle }, broken)),
      ];
    default:
      broken.add(middle);
      return yield* search(before, after, references, broken);
  }
}

/**
 * Within this part of the way from one end to the other, on a logarithmic scale, a release is on that end's side even
 * if it differs significantly: processes of one release differ by a few percent, too.
 */
const SMALL_PART = 0.25;

/**
 * @param {Sample[]} samples of both ends, in the same rounds @returns null without several starts of each
 */
export function endsOf(samples) {
  const { tested, between } = contrastAll(samples);
  const contrast = between(1, 0);
  if (contrast === null) return null;
  const [low, high] = samples.map(medianOf);
  return { tested, medians: { low, high }, contrast };
}

/**
 * @param {Sample[]} samples of the lower end, the release and the upper end, in the same rounds
 * @returns null without several starts of each
 */
export function sideOf(samples) {
  const { tested, between } = contrastAll(samples);
  const [toLow, toHigh, whole] = [between(1, 0), between(1, 2), between(2, 0)];
  if (toLow === null || toHigh === null || whole === null) return null;
  const way = size(whole);
  const isLike = (/** @type {Contrast} */ contrast) =>
    !contrast.differs || size(contrast) <= SMALL_PART * way;
  const [likeLow, likeHigh] = [isLike(toLow), isLike(toHigh)];
  const nearer = size(toLow) <= size(toHigh) ? 'low' : 'high';
  /** @type {Answer} */
  const side = likeLow || likeHigh ? nearer : 'between';
  const [low, release, high] = samples.map(medianOf);
  return {
    tested,
    toLow,
    toHigh,
    medians: { low, release, high },
    side,
    // If it is like both, the nearer one is only a guess.
    sure: !(likeLow && likeHigh),
  };
}

/** @param {Contrast} contrast @returns {number} the same for 2x and for half */
const size = ({ ratio }) => Math.abs(Math.log(ratio));
