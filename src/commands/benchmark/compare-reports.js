import { geometricMean } from 'simple-statistics';
import { axesOf, idOf, sameBut } from '../../axes/all-axes.js';
import { nameCells } from '../../axes/cell-names.js';
import { groupBy } from '../../collections.js';
import { UsageError } from '../../errors.js';
import { inShort, percent, said } from '../../report/figures.js';
import { contrastFamily, medianOf, verdictOf } from '../../statistics/contrasts.js';
import { opensConnections } from '../../statistics/race.js';
import { countStarts, FEWEST_STARTS } from '../../statistics/start-test.js';
import { findMetric, isOfTime, metricsOfRuns, samplesIn } from '../../store/metrics.js';
import { isDisturbed } from '../../store/slices.js';
import { comparable } from './judge/compare-group.js';
import { groupTitle, testText } from './report/words/legend.js';

/** @import { CellResult, Metric, Report, ResultFacts } from '../../store/types.js' */

/** @import { Contrast } from '../../statistics/contrasts.js' */
/** @import { Sample } from '../../store/types.js' */

/** @typedef {ReturnType<typeof compareReports>} ReportComparison */
/** @typedef {ReportComparison['cells'][number]} ComparedCell */
/** @typedef {keyof typeof FACTS | 'options'} Subject */
/** @typedef {ReturnType<typeof differencesOf | typeof startedOnce | typeof driftOf | typeof disturbedIn | typeof unchangedIn>[number]} ComparisonFinding */
/** @typedef {NonNullable<ReturnType<typeof sampledPair>>} Common a cell of both results */

/**
 * What became of a cell. `unchanged`: its package and options are the same, and others are compared with it; `not judged`: it waited
 * for CPU; `not compared`: too few runs or starts.
 * @typedef {'better' | 'worse' | 'changed' | 'tied' | 'not decided' | 'not compared' | 'not judged' | 'unchanged'} Change
 */

/**
 * Compares two reports cell by cell; equal cells may have different ids, by release of this tool. What the machine did in between
 * cancels out where a cell is compared with cells that did not change (difference of differences); otherwise it is part of the
 * difference. `base`, `new`: as the reports print them; `ratio`: new over base; `contrast`: null where it is not judged; its ratio is
 * the one without what unchanged cells did; `moreIsBetter`: null if neither direction is; `warnings`: what else differs and may
 * be why.
 * @param {Report} base @param {Report} next @param {string} [name] of a metric
 * @throws {UsageError} if they share no cell, or the metric is unknown
 */
export function compareReports(base, next, name = 'opsPerSecond') {
  const metric = metricOf(name);
  const moreIsBetter = metric.better === null ? null : metric.better === 'more';
  const others = new Map(next.cells.map((cell) => [idOf(cell), cell]));
  const common = base.cells.flatMap((cell) => sampledPair(cell, others.get(idOf(cell)), metric) ?? []);
  if (common.length === 0) throw new UsageError(nothingInCommon(base, next, metric));
  const starts = Math.max(...common.flatMap(({ before, after }) => [before, after].map(countStarts)));
  const disturbed = isOfTime(metric) ? disturbedIn(common) : [];
  const steady = common.filter(({ cell }) => !disturbed.some(({ cells }) => cells.includes(cell.id)));
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
    const ofSteady = used.has(each) ? /** @type {const} */ ('unchanged') : changeOf(contrast, moreIsBetter);
    return {
      cell: each.cell.id,
      base: each.figures.before,
      new: each.figures.after,
      ratio: ratioOf(each),
      change: steady.includes(each) ? ofSteady : /** @type {const} */ ('not judged'),
      contrast,
      isAdjusted: judged.includes(each) && !alone.includes(each),
      ...labelOf(each.cell.id),
    };
  });
  const ids = new Set(common.map(({ cell }) => idOf(cell)));
  const findings = [
    ...differencesOf(base, next, common),
    ...(starts > 0 ? startedOnce(cells) : []),
    ...(used.size > 0 ? unchangedIn([...used]) : []),
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
    /** Empty where nothing was judged. */
    test: judged.length === 0 ? '' : testText(tested),
    /** Whether what the machine did in between may be part of a difference. */
    mayBeMachine: isOfTime(metric) && alone.length > 0,
    warnings: findings.flatMap((finding) =>
      finding.kind === 'unchanged' ? [] : warningText(finding, (id) => labelOf(id).name),
    ),
  };
}

/** @param {Common} common */
const ratioOf = ({ figures: { before, after } }) => after / before;

/** @param {Contrast | null} contrast @param {boolean | null} moreIsBetter @returns {Change} */
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
  /** @param {Common} each @returns {[CellResult, CellResult]} */
  const pairOf = ({ cell, other }) => [other, cell];
  const byOther = new Map(common.map((each) => [each.other, each]));
  const [{ tested, between }] = contrastFamily([
    {
      pairs: judged.map(pairOf),
      benchmarks,
      of: (cell) => samples.get(cell) ?? positive(samplesIn(cell, metric)),
      kindOf: (cell) => Number(opensConnections(cell)),
      referencesOf: (cell) => referencesOf(/** @type {Common} */ (byOther.get(cell))).map(pairOf),
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
 * @param {Common[]} common @param {Report} base @param {Report} next @returns {(each: Common) => Common[]}
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

/** The code of a user's file or checkout may have changed. @param {Common} common */
const isUnchanged = (common) =>
  !isCold(common) &&
  [common.cell, common.other].every(
    ({ ownCode, floor, release }) => !ownCode && (floor || release?.path === null),
  ) &&
  changesOf(factsOfCell(common.cell), factsOfCell(common.other)).length === 0;

/** @param {Common} common */
const isCold = ({ cell, other }) => cell.warm === false || other.warm === false;

/** @param {CellResult} cell @returns {Record<string, unknown>} */
const factsOfCell = (cell) => ({
  ...optionsOf(cell),
  release: cell.release?.version,
  Node: cell.runtime?.version,
});

/** @param {Common[]} cells */
const unchangedIn = (cells) => [
  found('unchanged', { cells: cells.map(({ cell }) => cell.id), ratio: geometricMean(cells.map(ratioOf)) }),
];

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

/** @template {string} Kind @template Facts @param {Kind} kind @param {Facts} facts */
const found = (kind, facts) => ({ kind, ...facts });

/** In one of the results, so they are not compared. @param {{cell: string, change: Change}[]} all */
function startedOnce(all) {
  const cells = all.filter(({ change }) => change === 'not compared').map(({ cell }) => cell);
  return cells.length === 0 ? [] : [found('started-once', { cells })];
}

/** Cells that waited for CPU in most slices: regressions cannot be judged. @param {{cell: CellResult, other: CellResult}[]} common */
function disturbedIn(common) {
  const most = (/** @type {CellResult[]} */ cells) => {
    const waits = cells.flatMap(({ summary }) => summary?.waits ?? []).filter(isDisturbed);
    return waits.length === 0 ? null : Math.max(...waits.map(({ waitedShare }) => waitedShare));
  };
  const waiting = common.filter(({ cell, other }) => most([cell, other]) !== null);
  const baseWaitedShare = most(waiting.map(({ cell }) => cell));
  const newWaitedShare = most(waiting.map(({ other }) => other));
  const cells = waiting.map(({ cell }) => cell.id);
  return cells.length === 0 ? [] : [found('disturbed', { cells, baseWaitedShare, newWaitedShare })];
}

/** @param {string} name @returns {Metric} that runs have @throws {UsageError} */
export function metricOf(name) {
  const found = findMetric(name);
  if (found && found.fromRuns !== null) return found;
  const names = metricsOfRuns().map(({ id }) => id);
  throw new UsageError(`--metric: expected one of ${names.join(', ')}, got '${name}'`);
}

/** null without two results. @param {CellResult} cell @param {CellResult | undefined} other @param {Metric} metric */
function sampledPair(cell, other, metric) {
  if (!other || cell.summary?.tooShort || other.summary?.tooShort) return null;
  // New times are scaled to the base's iterations.
  const [own, others] = metric.growsWithIterations ? [cell.iterations, other.iterations] : [];
  const scale = own && others ? own / others : 1;
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
 */
export function driftOf(cells) {
  const moved = cells.filter(({ ratio }) => Math.abs(Math.log(ratio)) >= NOTABLE);
  const floor = moved.find((cell) => cell.floor);
  if (floor) return [found('moved', { what: 'floor', cells: [floor.cell], ratio: floor.ratio })];
  if (cells.length < FEWEST_CELLS) return [];
  const ratio = geometricMean(cells.map((each) => each.ratio));
  // A cell that did not move speaks against the machine.
  const sameWay = moved.filter((each) => each.ratio > 1 === ratio > 1);
  if (sameWay.length < cells.length) return [];
  return [found('moved', { what: 'all', cells: cells.map(({ cell }) => cell), ratio })];
}

/** @param {Report} base @param {Report} next @param {{cell: CellResult, other: CellResult}[]} common */
function differencesOf(base, next, common) {
  const facts = differingFacts(
    base,
    next,
    common.map(({ cell }) => cell),
  );
  return [
    ...facts.map((each) => found('difference', each)),
    ...optionDifferences(common),
    ...(base.partial ? [found('ended-early', { report: 'base' })] : []),
    ...(next.partial ? [found('ended-early', { report: 'new' })] : []),
  ];
}

/** @param {Report} base @param {Report} next @param {CellResult[]} common whose releases are facts of the results */
const differingFacts = (base, next, common) =>
  Object.entries(FACTS).flatMap(([subject, factsOf]) => {
    const changes = changesOf(factsOf(base, common), factsOf(next, common));
    return changes.length > 0 ? [{ subject: /** @type {Subject} */ (subject), changes }] : [];
  });

/** @satisfies {Record<string, (report: ResultFacts & Pick<Report, 'cells'>, common: CellResult[]) => Record<string, unknown>>} */
const FACTS = {
  machine: ({ environment: { cpuModel, cpuCount, memoryBytes, os, arch } }) => ({
    processor: cpuModel,
    processors: cpuCount,
    os,
    architecture: arch,
    memory: `${Math.round(memoryBytes / 1e9)} GB`,
  }),
  versions: ({ environment, tool }, cells) => ({
    Node: environment.node,
    NODE_OPTIONS: environment.nodeOptions ?? 'not set',
    [tool.name]: tool.version,
    // A requested release is part of the cell's name.
    ...Object.fromEntries(
      Object.entries(environment.packages).filter(([name]) =>
        cells.some(({ client, version }) => !version && client === name.slice(name.indexOf('/') + 1)),
      ),
    ),
  }),
  server: ({ servers }) =>
    leaves(
      Object.fromEntries(
        servers.map(({ kind, software, version, mode, config }) => [
          mode ?? 'mode unknown',
          { kind, software, version, ...config },
        ]),
      ),
    ),
  placement: ({ placements }) =>
    Object.fromEntries(
      placements.map(({ pin, serverCpus, workerCpus }) => [
        `--pin ${pin}`,
        workerCpus === null
          ? 'not pinned'
          : `${serverCpus === null ? '' : `server on ${serverCpus.join()}, `}worker on ${workerCpus.join()}`,
      ]),
    ),
  settings: ({ settings, cells }) => ({
    'warm-up runs': settings.warmupRuns,
    'run time (ms)': settings.runTimeMs,
    'duration (ms)': settings.durationMs,
    values: settings.value,
    'order of keys': settings.keyDistribution,
    'one slot': settings.oneSlot,
    smoke: settings.smoke,
    // Recording takes time; results do not store the option.
    'recording of latencies': cells.some(({ summary }) => summary?.latency) ? 'on' : 'off',
  }),
};

/**
 * What a whole result was measured under, without the releases of clients.
 * @param {ResultFacts} facts @returns {Partial<Record<Subject, Record<string, unknown>>>}
 */
export const conditionsOfResult = (facts) =>
  Object.fromEntries(
    Object.entries(FACTS).map(([subject, factsOf]) => [subject, factsOf({ ...facts, cells: [] }, [])]),
  );

/** A managed server has another address each time. */
const ADDRESS = /(^|\.)(host|port|path|servername)$/;

/** Its options, and the conditions that are not in its id. @param {CellResult} cell @returns {Record<string, unknown>} */
const optionsOf = (cell) =>
  Object.fromEntries([
    ...Object.entries(leaves(cell.effectiveOptions)).filter(([path]) => !ADDRESS.test(path)),
    ...axesOf([cell])
      .filter(({ role, idPart }) => role === 'condition' && idPart(cell) === '')
      .map((axis) => [axis.id, axis.of(cell)]),
  ]);

/** One per difference. @param {{cell: CellResult, other: CellResult}[]} common */
function optionDifferences(common) {
  const all = common.flatMap(({ cell, other }) =>
    changesOf(optionsOf(cell), optionsOf(other)).map((change) => ({ client: cell.client, change })),
  );
  return groupBy(all, ({ change }) => JSON.stringify(change)).map((own) => {
    const clients = [...new Set(own.map(({ client }) => client))];
    return found('difference', {
      subject: /** @type {Subject} */ ('options'),
      clients,
      changes: [own[0].change],
    });
  });
}

/** By path, `socket.noDelay`. @param {unknown} value @param {string[]} path @returns {Record<string, unknown>} */
function leaves(value, path = []) {
  if (typeof value !== 'object' || value === null) return { [path.join('.')]: value };
  return Object.assign({}, ...Object.entries(value).map(([name, part]) => leaves(part, [...path, name])));
}

/** @param {Record<string, unknown>} before @param {Record<string, unknown>} after */
export const changesOf = (before, after) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => ({ name, base: textOf(before[name]), new: textOf(after[name]) }));

/** @param {unknown} value */
const textOf = (value) => (value === undefined || value === null || value === '' ? null : String(value));

/** @param {Exclude<ComparisonFinding, {kind: 'unchanged'}>} finding @param {(id: string) => string} nameOf @returns {string} */
function warningText(finding, nameOf) {
  switch (finding.kind) {
    case 'difference':
      return differenceText(finding);
    case 'ended-early':
      return `the ${finding.report === 'base' ? 'first' : 'second'} result ended early`;
    case 'started-once':
      return `not compared, because one of the results has a single warm start, which does not show how much starts differ: ${namesText(finding.cells, nameOf)}; use --starts 4 for both`;
    case 'disturbed':
      return `${namesText(finding.cells, nameOf)}: waited for CPU ${waitedText(finding)}, so no regression is shown or ruled out`;
    case 'moved':
      if (finding.what === 'floor')
        return `"${nameOf(finding.cells[0])}", this tool's own client, changed by ${finding.ratio.toFixed(2)}x too: that much may be the machine's doing`;
      return `all ${finding.cells.length} cells moved the same way, by ${finding.ratio.toFixed(2)}x on average: that may be the machine; measure again, or compare them in one benchmark, where they alternate`;
  }
}

/** Cells of several groups may share a name. @param {string[]} cells @param {(id: string) => string} nameOf */
const namesText = (cells, nameOf) =>
  groupBy(cells, nameOf)
    .map((own) => `"${nameOf(own[0])}"${own.length > 1 ? ` (under ${own.length} conditions)` : ''}`)
    .join(', ');

/**
 * @param {{subject: Subject, clients?: string[], changes: ReturnType<typeof changesOf>}} difference `clients`: whose options
 * @returns {string} `versions differ: Node 22.1.0 → 24.1.0`
 */
export function differenceText({ subject, clients = [], changes }) {
  const what = subject === 'options' ? `options of ${clients.join(', ')} differ` : SUBJECTS[subject];
  const how = changes.map(({ name, base, new: after }) => `${name} ${base ?? 'none'} → ${after ?? 'none'}`);
  return `${what}: ${how.join(', ')}`;
}

/** @type {Record<Exclude<Subject, 'options'>, string>} */
const SUBJECTS = {
  machine: 'the machine differs',
  versions: 'versions differ',
  server: 'the server differs',
  placement: 'the placement differs',
  settings: 'settings differ',
};

/** @param {Extract<ComparisonFinding, {kind: 'disturbed'}>} finding */
const waitedText = ({ baseWaitedShare, newWaitedShare }) =>
  said([
    baseWaitedShare !== null && `up to ${percent(baseWaitedShare)} of the time in the first result`,
    newWaitedShare !== null &&
      `up to ${percent(newWaitedShare)} ${baseWaitedShare === null ? 'of the time in the second result' : 'in the second'}`,
  ]).join(', ');
