import { idOf, sameBut } from '../../axes/all-axes.js';
import { nameCells } from '../../axes/cell-names.js';
import { groupBy, mustGet } from '../../collections.js';
import { geometricMean } from '../../descriptive-statistics.js';
import { UsageError } from '../../errors.js';
import { inShort, percent, said } from '../../report/figures.js';
import { contrastFamily, medianOf, verdictOf } from '../../statistics/contrasts.js';
import { opensConnections } from '../../statistics/race.js';
import { countStarts, FEWEST_STARTS } from '../../statistics/start-test.js';
import { findMetric, isOfTime, metricsOfRuns, samplesIn } from '../../store/metrics.js';
import { isDisturbed } from '../../store/slices.js';
import { changesOf, differencesOf, differenceText, differingFacts, optionsOf } from './differences.js';
import { comparable } from './judge/compare-group.js';
import { groupTitle, testText } from './report/words/legend.js';

/** @import { CellResult, Metric, Report, Sample } from '../../store/types.js' */
/** @import { Contrast } from '../../statistics/contrasts.js' */
/** @import { Change, ComparisonFinding, ReportComparison } from './types.js' */

/** @typedef {NonNullable<ReturnType<typeof sampledPair>>} Common a cell of both results */

/**
 * Compares two reports cell by cell; equal cells may have different ids, by release of this tool. What the machine did in between
 * cancels out where a cell is compared with cells that did not change (difference of differences); otherwise it is part of the
 * difference.
 * @param {Report} base
 * @param {Report} next
 * @param {string} [name] of a metric
 * @returns {ReportComparison}
 * @throws {UsageError} if they share no cell, or the metric is unknown
 */
export function compareReports(base, next, name = 'opsPerSecond') {
  const metric = metricOf(name, true);
  const moreIsBetter = metric.better === null ? null : metric.better === 'more';
  const others = new Map(next.cells.map((cell) => [idOf(cell), cell]));
  const common = base.cells.flatMap((cell) => sampledPair(cell, others.get(idOf(cell)), metric) ?? []);
  if (common.length === 0) throw new UsageError(nothingInCommon(base, next, metric));
  const starts = Math.max(...common.flatMap(({ before, after }) => [before, after].map(countStarts)));
  // Its figures mean nothing.
  const isSmoke = base.settings.smoke || next.settings.smoke;
  const disturbed = isOfTime(metric) && !isSmoke ? disturbedIn(common) : [];
  const steady = isSmoke
    ? []
    : common.filter(({ cell }) => !disturbed.some(({ cells }) => cells.includes(cell.id)));
  const isByStarts = starts >= FEWEST_STARTS;
  const referencesOf = isOfTime(metric) && isByStarts ? referencesIn(steady, base, next) : () => [];
  const used = new Set(steady.flatMap(referencesOf));
  const changing = steady.filter((each) => !used.has(each));
  const alone = changing.filter((each) => referencesOf(each).length === 0);
  // One start of each does not show how much starts differ.
  const judged = starts === 1 ? [] : changing;
  const { tested, contrastOf } = contrastsOf(judged, { base, next, common, metric, referencesOf });
  const [labelOf, labelInNext] = [base, next].map(labelling);
  const cells = common.map((each) => {
    const contrast = contrastOf(each);
    /** @type {Change} */
    const ofSteady = used.has(each) ? 'unchanged' : changeOf(contrast, moreIsBetter);
    return {
      cell: each.cell.id,
      base: each.figures.before,
      new: each.figures.after,
      ratio: ratioOf(each),
      change: steady.includes(each) || isSmoke ? ofSteady : 'not judged',
      contrast,
      isAdjusted: judged.includes(each) && !alone.includes(each),
      ...labelOf(each.cell.id),
    };
  });
  const ids = new Set(common.map(({ cell }) => idOf(cell)));
  /** @type {ComparisonFinding[]} */
  const findings = [
    ...differencesOf(base, next, common),
    ...(isSmoke ? [smokeOf(cells)] : starts > 0 ? startedOnce(cells) : []),
    ...(used.size > 0 ? [unchangedIn([...used])] : []),
    ...driftOf(alone.map((each) => ({ cell: each.cell.id, floor: each.cell.floor, ratio: ratioOf(each) }))),
    ...disturbed,
  ];
  return {
    metric: metric.id,
    unit: metric.unit,
    moreIsBetter,
    tested,
    cells,
    geometricMean: steady.length === 0 ? null : geometricMean(steady.map(ratioOf)),
    onlyBase: aloneIn(base, ids, labelOf),
    onlyNew: aloneIn(next, ids, labelInNext),
    findings,
    test: judged.length === 0 ? '' : testText(tested),
    mayBeMachine: isOfTime(metric) && alone.length > 0,
    warnings: findings.flatMap((finding) =>
      finding.kind === 'unchanged' ? [] : warningText(finding, (id) => labelOf(id).name),
    ),
  };
}

/** @param {Common} common */
const ratioOf = ({ figures: { before, after } }) => after / before;

/** @type {(contrast: Contrast | null, moreIsBetter: boolean | null) => Change} */
function changeOf(contrast, moreIsBetter) {
  const verdict = verdictOf(contrast);
  if (verdict === 'not measured') return 'not compared';
  if (verdict === 'tied' || verdict === 'not decided') return verdict;
  if (moreIsBetter === null) return 'changed';
  return (verdict === 'faster') === moreIsBetter ? 'better' : 'worse';
}

/**
 * Tests the changes. The interval is that of the test, around the quotient of the printed figures; where these are not what the test
 * estimates (medians), it is as wide as both need.
 * @param {Common[]} judged
 * @param {{base: Report, next: Report, common: Common[], metric: Metric, referencesOf: (each: Common) => Common[]}} known
 */
function contrastsOf(judged, { base, next, common, metric, referencesOf }) {
  const samples = new Map(
    common.flatMap(({ cell, other, before, after }) => [
      [cell, before],
      [other, after],
    ]),
  );
  const benchmarks = [base, next].flatMap(({ cells }) => {
    const warm = new Set(comparable(cells).map(({ id }) => id));
    const measured = cells.filter((cell) => warm.has(cell.id) || samples.has(cell));
    // One that was not warm is in no model of a report.
    return groupBy(measured, ({ id, group }) => (warm.has(id) ? group : id));
  });
  /** @type {(each: Common) => [CellResult, CellResult]} */
  const pairOf = ({ cell, other }) => [other, cell];
  const byOther = new Map(common.map((each) => [each.other, each]));
  const [{ tested, between }] = contrastFamily([
    {
      pairs: judged.map(pairOf),
      benchmarks,
      of: (cell) => samples.get(cell) ?? positive(samplesIn(cell, metric)),
      kindOf: (cell) => Number(opensConnections(cell)),
      referencesOf: (cell) => referencesOf(mustGet(byOther, cell)).map(pairOf),
    },
  ]);
  return {
    tested,
    /** @param {Common} each @returns {Contrast | null} */
    contrastOf(each) {
      const contrast = between(...pairOf(each));
      if (contrast === null) return null;
      const references = referencesOf(each);
      const ratio = ratioOf(each) / (references.length === 0 ? 1 : geometricMean(references.map(ratioOf)));
      const [low, high] = [Math.min(ratio, contrast.low), Math.max(ratio, contrast.high)];
      return { ...contrast, ratio, low, high, differs: contrast.differs && (low > 1 || high < 1) };
    },
  };
}

/** A 0 was too little to be counted, and has no ratio. @param {Sample} sample */
const positive = (sample) => sample.filter(({ value }) => value > 0);

/**
 * What each cell is compared with: those that differ from it in nothing but the client, and did not change, by their facts, never by
 * their results. The floor, which does less than a client, only where there is no other, and for clients that did not change
 * themselves. Nothing where the results differ in the server, Node or settings, which change all cells; nor where only the
 * machine differs, which then is what is asked.
 * @type {(common: Common[], base: Report, next: Report) => (each: Common) => Common[]}
 */
function referencesIn(common, base, next) {
  const differing = differingFacts({ ...base, cells: [] }, { ...next, cells: [] }, []);
  const unchanged = new Set(common.filter(isUnchanged));
  const isOnlyMachine = differing.length > 0 && unchanged.size === common.length;
  if (isOnlyMachine || differing.some(({ subject }) => subject !== 'machine')) return () => [];
  const butClient = sameBut(
    ['client'],
    common.map(({ cell }) => cell),
  );
  const keys = new Map(common.map((each) => [each, `${each.cell.group} ${butClient(each.cell)}`]));
  return (each) => {
    if (each.cell.floor || isCold(each)) return [];
    const others = [...unchanged].filter((other) => keys.get(other) === keys.get(each));
    const clients = unchanged.has(each) ? [] : others.filter(({ cell }) => !cell.floor);
    return clients.length > 0 ? clients : others.filter(({ cell }) => cell.floor);
  };
}

/** The code of a user's file, of a checkout or of what is imported may have changed. @param {Common} common */
const isUnchanged = (common) =>
  !isCold(common) &&
  [common.cell, common.other].every(
    ({ ownCode, imported, floor, release }) =>
      !ownCode && imported === undefined && (floor || release?.path === null),
  ) &&
  changesOf(factsOfCell(common.cell), factsOfCell(common.other)).length === 0;

/** @param {Common} common */
const isCold = ({ cell, other }) => cell.warm === false || other.warm === false;

/** @type {(cell: CellResult) => Record<string, unknown>} */
const factsOfCell = (cell) => ({
  ...optionsOf(cell),
  release: cell.release?.version,
  Node: cell.runtime?.version,
});

/** @type {(cells: Common[]) => ComparisonFinding} */
const unchangedIn = (cells) => ({
  kind: 'unchanged',
  cells: cells.map(({ cell }) => cell.id),
  ratio: geometricMean(cells.map(ratioOf)),
});

/** @param {Report} report @returns {(id: string) => {name: string, group: string}} `group`: its conditions in words */
function labelling(report) {
  const labels = new Map(
    groupBy(report.cells, ({ group }) => group).flatMap((cells) => {
      const [names, group] = [nameCells(cells), groupTitle(cells, report)];
      return cells.map((cell) => [cell.id, { name: names.get(cell.id) ?? cell.id, group }]);
    }),
  );
  return (id) => labels.get(id) ?? { name: id, group: '' };
}

/** @type {(compared: {cell: string}[]) => ComparisonFinding} */
const smokeOf = (compared) => ({ kind: 'smoke', cells: compared.map(({ cell }) => cell) });

/**
 * Started once in one of the results, so they are not compared.
 * @type {(compared: {cell: string, change: Change}[]) => ComparisonFinding[]}
 */
function startedOnce(compared) {
  const cells = compared.filter(({ change }) => change === 'not compared').map(({ cell }) => cell);
  return cells.length === 0 ? [] : [{ kind: 'started-once', cells }];
}

/**
 * Cells that waited for CPU in most slices: regressions cannot be judged.
 * @type {(common: {cell: CellResult, other: CellResult}[]) => Extract<ComparisonFinding, {kind: 'disturbed'}>[]}
 */
function disturbedIn(common) {
  const most = (/** @type {CellResult[]} */ cells) => {
    const waits = cells.flatMap(({ summary }) => summary?.waits ?? []).filter(isDisturbed);
    return waits.length === 0 ? null : Math.max(...waits.map(({ waitedShare }) => waitedShare));
  };
  const waiting = common.filter(({ cell, other }) => most([cell, other]) !== null);
  const baseWaitedShare = most(waiting.map(({ cell }) => cell));
  const newWaitedShare = most(waiting.map(({ other }) => other));
  const cells = waiting.map(({ cell }) => cell.id);
  return cells.length === 0 ? [] : [{ kind: 'disturbed', cells, baseWaitedShare, newWaitedShare }];
}

/** @param {string} name @param {boolean} [orOfPass] @returns {Metric} that runs have, or passes after them @throws {UsageError} */
export function metricOf(name, orOfPass = false) {
  const found = findMetric(name);
  if (found && (found.fromRuns !== null || (orOfPass && found.ofPass))) return found;
  const names = metricsOfRuns().map(({ id }) => id);
  throw new UsageError(`--metric: expected one of ${names.join(', ')}, got '${name}'`);
}

/** Null without two results. @param {CellResult} cell @param {CellResult | undefined} other @param {Metric} metric */
function sampledPair(cell, other, metric) {
  if (!other || cell.summary?.tooShort || other.summary?.tooShort) return null;
  // New times are scaled to the base's iterations.
  const [iterations, newIterations] = metric.growsWithIterations ? [cell.iterations, other.iterations] : [];
  const scale = iterations && newIterations ? iterations / newIterations : 1;
  const [before, after] = [cell, other].map((each) => positive(samplesIn(each, metric)));
  if (before.length === 0 || after.length === 0) return null;
  const scaled = after.map(({ value, ...rest }) => ({ value: value * scale, ...rest }));
  // Speeds are those that the reports estimate; percentiles are of each run.
  const isSpeed = metric.id === 'opsPerSecond';
  const figures = {
    before: isSpeed && cell.summary ? cell.summary.opsPerSecond : medianOf(before),
    after: isSpeed && other.summary ? other.summary.opsPerSecond : medianOf(scaled),
  };
  return { cell, other, before, after: scaled, figures };
}

/** The cells with a result, other than these. @param {Report} report @param {Set<string>} ids @param {ReturnType<typeof labelling>} labelOf */
const aloneIn = ({ cells }, ids, labelOf) =>
  cells
    .filter((cell) => cell.summary !== null && !ids.has(idOf(cell)))
    .map(({ id }) => `${labelOf(id).name} (${labelOf(id).group})`);

/** @param {Report} base @param {Report} next @param {Metric} metric */
function nothingInCommon(base, next, metric) {
  const [before, after] = [base, next].map(({ cells }) =>
    cells.flatMap((cell) => (cell.summary ? [idOf(cell)] : [])),
  );
  if (before.some((id) => after.includes(id)))
    return `--metric: no cell has ${metric.id} in both results; choose another one`;
  const [first, second] = [base, next].map((report) => aloneIn(report, new Set(), labelling(report)));
  const list = (/** @type {string[]} */ all) => (all.length === 0 ? 'no cell with a result' : inShort(all));
  return `the two results have no cell in common, so there is nothing to compare: the first has ${list(first)}; the second ${list(second)}`;
}

/**
 * Which cells became worse by more than this: `certain`: all of the interval lies beyond it; `undecided`: some of it, so that more
 * starts are needed; `notCompared`, `disturbed`: not judged.
 * @param {ReportComparison} comparison @param {number} percent @throws {UsageError} for a metric without a better direction
 */
export function findRegressions({ cells, metric, moreIsBetter }, percent) {
  if (moreIsBetter === null) {
    throw new UsageError(
      `--fail-on: neither more nor less ${metric} is worse; use a metric that 'list' calls better in one direction`,
    );
  }
  const worseBy = (/** @type {number} */ ratio) => (moreIsBetter ? 1 - ratio : ratio - 1) * 100;
  const judged = cells.flatMap(({ contrast, ...cell }) => {
    if (contrast === null) return [];
    const [least, most] = [worseBy(contrast.low), worseBy(contrast.high)].sort((a, b) => a - b);
    return [{ ...cell, contrast, worseBy: worseBy(contrast.ratio), least, most }];
  });
  return {
    certain: judged.filter(({ least }) => least > percent),
    undecided: judged.filter(({ least, most }) => least <= percent && most > percent),
    notCompared: cells.filter(({ change }) => change === 'not compared'),
    disturbed: cells.filter(({ change }) => change === 'not judged'),
  };
}

/** Machines drift that much from minute to minute. */
const NOTABLE = 0.05;
/** Two cells move the same way by chance every other time. */
const FEWEST_CELLS = 3;

/**
 * Signs that the machine changed rather than what was measured.
 * @param {{cell: string, ratio: number, floor: boolean}[]} cells that were not compared with unchanged ones
 * @returns {ComparisonFinding[]}
 */
export function driftOf(cells) {
  const moved = cells.filter(({ ratio }) => Math.abs(Math.log(ratio)) >= NOTABLE);
  const floor = moved.find((cell) => cell.floor);
  if (floor) return [{ kind: 'moved', what: 'floor', cells: [floor.cell], ratio: floor.ratio }];
  if (cells.length < FEWEST_CELLS) return [];
  const ratio = geometricMean(cells.map((each) => each.ratio));
  // A cell that did not move speaks against the machine.
  const sameWay = moved.filter((each) => each.ratio > 1 === ratio > 1);
  if (sameWay.length < cells.length) return [];
  return [{ kind: 'moved', what: 'all', cells: cells.map(({ cell }) => cell), ratio }];
}

/** @type {(finding: Exclude<ComparisonFinding, {kind: 'unchanged'}>, nameOf: (id: string) => string) => string} */
function warningText(finding, nameOf) {
  switch (finding.kind) {
    case 'difference':
      return differenceText(finding);
    case 'ended-early':
      return `the ${finding.report === 'base' ? 'first' : 'second'} result ended early`;
    case 'started-once':
      return `not compared, because one of the results has a single warm start, which does not show how much starts differ: ${namesText(finding.cells, nameOf)}; use --starts 4 for both`;
    case 'smoke':
      return 'a smoke run only shows that everything works; it is too short to compare anything';
    case 'disturbed':
      return `${namesText(finding.cells, nameOf)}: waited for CPU ${waitedText(finding)}, so no regression is shown or ruled out`;
    case 'moved':
      if (finding.what === 'floor')
        return `"${nameOf(finding.cells[0])}", this tool's own client, changed by ${finding.ratio.toFixed(2)}x too: that much may be the machine's doing`;
      return `all ${finding.cells.length} cells moved the same way, by ${finding.ratio.toFixed(2)}x on average: that may be the machine; measure again, or compare them in one benchmark, where they alternate`;
  }
}

/** @param {string[]} cells @param {(id: string) => string} nameOf */
const namesText = (cells, nameOf) =>
  groupBy(cells, nameOf)
    .map((same) => `"${nameOf(same[0])}"${same.length > 1 ? ` (under ${same.length} conditions)` : ''}`)
    .join(', ');

/** @param {Extract<ComparisonFinding, {kind: 'disturbed'}>} finding */
const waitedText = ({ baseWaitedShare, newWaitedShare }) =>
  said([
    baseWaitedShare !== null && `up to ${percent(baseWaitedShare)} of the time in the first result`,
    newWaitedShare !== null &&
      `up to ${percent(newWaitedShare)} ${baseWaitedShare === null ? 'of the time in the second result' : 'in the second'}`,
  ]).join(', ');
