import { geometricMean } from 'simple-statistics';
import { axesOf, idOf } from '../axes/all-axes.js';
import { nameCells } from '../axes/cell-names.js';
import { alike } from '../core/alike.js';
import { UsageError } from '../core/errors.js';
import { percent, said } from '../core/report/figures.js';
import { contrastFamily, medianOf } from '../core/statistics/contrasts.js';
import { findMetric, metricsOfRuns, samplesIn } from '../core/store/metrics.js';
import { isDisturbed } from './judge/slices.js';
import { groupTitle, testText } from './report/words/legend.js';

/** @import { CellResult, Metric, Report, ResultFacts } from '../core/store/types.js' */

/** @typedef {ReturnType<typeof compareReports>} ReportComparison */
/** @typedef {ReportComparison['cells'][number]} ComparedCell */
/** @typedef {keyof typeof FACTS | 'options'} Subject */
/** @typedef {ReturnType<typeof differencesOf | typeof startedOnce | typeof driftOf | typeof disturbedIn>[number]} ComparisonFinding */

/**
 * Compares two reports cell by cell; equal cells may have different ids, by release of this tool. The test knows how much runs
 * vary within a report, but not what changed on the machine between the two. `ratio`: new over base; `contrast`: null with too few
 * runs; `moreIsBetter`: null if neither direction is; `warnings`: what else differs and may be why.
 * @param {Report} base @param {Report} next @param {string} [name] of a metric
 * @throws {UsageError} if they share no cell, or the metric is unknown
 */
export function compareReports(base, next, name = 'opsPerSecond') {
  const metric = metricOf(name);
  const others = new Map(next.cells.map((cell) => [idOf(cell), cell]));
  const common = base.cells.flatMap((cell) => sampledPair(cell, others.get(idOf(cell)), metric) ?? []);
  if (common.length === 0) throw new UsageError(nothingInCommon(base, next, metric));
  const [{ tested, between }] = contrastFamily([
    { pairs: common.map(({ before, after }) => [after, before]), inRounds: false },
  ]);
  const [labelOf, labelInNext] = [base, next].map(labelling);
  const cells = common.map(({ cell, before, after }) => ({
    cell: cell.id,
    base: medianOf(before),
    new: medianOf(after),
    ratio: medianOf(after) / medianOf(before),
    contrast: between(after, before),
    ...labelOf(cell.id),
  }));
  const ids = new Set(common.map(({ cell }) => idOf(cell)));
  const mean = geometricMean(cells.map(({ ratio }) => ratio));
  const floors = common.map(({ cell }, index) => ({ ...cells[index], floor: cell.floor }));
  const findings = [
    ...differencesOf(base, next, common),
    ...(tested.by === 'starts' ? startedOnce(cells) : []),
    ...driftOf(floors, mean),
    ...(OF_TIME.includes(metric.unit) ? disturbedIn(common) : []),
  ];
  return {
    metric: metric.id,
    unit: metric.unit,
    moreIsBetter: metric.better === null ? null : metric.better === 'more',
    tested,
    cells,
    geometricMean: mean,
    onlyBase: aloneIn(base, ids, labelOf),
    onlyNew: aloneIn(next, ids, labelInNext),
    findings,
    test: testText(tested),
    warnings: findings.map((finding) => warningText(finding, (id) => labelOf(id).name)),
  };
}

/** @param {Report} report @returns {(id: string) => {name: string, group: string}} `group`: its conditions in words */
function labelling(report) {
  const labels = new Map(
    alike(report.cells, ({ group }) => group).flatMap((cells) => {
      const [names, group] = [nameCells(cells), groupTitle(cells, report)];
      return cells.map((cell) => [cell.id, { name: names.get(cell.id) ?? cell.id, group }]);
    }),
  );
  return (id) => labels.get(id) ?? { name: id, group: '' };
}

/** @template {string} Kind @template Facts @param {Kind} kind @param {Facts} facts */
const found = (kind, facts) => ({ kind, ...facts });

/** In one of the results, so they are not compared. @param {{cell: string, contrast: unknown}[]} all */
function startedOnce(all) {
  const cells = all.filter(({ contrast }) => contrast === null).map(({ cell }) => cell);
  return cells.length === 0 ? [] : [found('started-once', { cells })];
}

/** The units of what other programs change; they add no bytes or commands. */
const OF_TIME = ['ms', 'µs', 'ops/s', 'share'];

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
  // A 0 was too little to be counted, and has no ratio.
  const [before, after] = [cell, other].map((each) =>
    samplesIn(each, metric).filter(({ value }) => value > 0),
  );
  if (before.length === 0 || after.length === 0) return null;
  const scaled = after.map(({ value, ...rest }) => ({ value: value * scale, ...rest }));
  return { cell, other, before, after: scaled };
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
  const list = (/** @type {string[]} */ all) =>
    all.length === 0
      ? 'no cell with a result'
      : `${all.slice(0, 3).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
  return `the two results have no cell in common, so there is nothing to compare: the first has ${list(before)}; the second ${list(after)}`;
}

/**
 * The cells that became worse by at least this much, proven or not; not those that waited for CPU, or were not compared.
 * @param {ReportComparison} comparison @param {number} percent @throws {UsageError} for a metric without a better direction
 */
export function findRegressions({ cells, metric, moreIsBetter, findings }, percent) {
  if (moreIsBetter === null) {
    throw new UsageError(
      `--fail-on: neither more nor less ${metric} is worse; use a metric that 'list' calls better in one direction`,
    );
  }
  const ids = findings.find((finding) => finding.kind === 'disturbed')?.cells ?? [];
  const worse = cells
    .filter(({ cell }) => !ids.includes(cell))
    .map((cell) => ({ ...cell, worseBy: (moreIsBetter ? 1 - cell.ratio : cell.ratio - 1) * 100 }))
    .filter(({ worseBy }) => worseBy >= percent);
  return {
    certain: worse.filter(({ contrast }) => contrast?.differs),
    unsure: worse.filter(({ contrast }) => contrast?.differs === false),
    notCompared: cells.filter(({ cell, contrast }) => contrast === null && !ids.includes(cell)),
    disturbed: cells.filter(({ cell }) => ids.includes(cell)),
  };
}

/** Machines drift that much from minute to minute. */
const NOTABLE = 0.05;
/** Two cells move the same way by chance every other time. */
const FEWEST_CELLS = 3;

/**
 * Signs that the machine changed rather than what was measured.
 * @param {{cell: string, ratio: number, floor: boolean}[]} cells @param {number} geometricMean of their ratios
 */
export function driftOf(cells, geometricMean) {
  const moved = cells.filter(({ ratio }) => Math.abs(Math.log(ratio)) >= NOTABLE);
  const floor = moved.find((cell) => cell.floor);
  if (floor) return [found('moved', { what: 'floor', cells: [floor.cell], ratio: floor.ratio })];
  // A cell that did not move speaks against the machine.
  const sameWay = moved.filter(({ ratio }) => ratio > 1 === geometricMean > 1);
  if (cells.length < FEWEST_CELLS || sameWay.length < cells.length) return [];
  return [found('moved', { what: 'all', cells: cells.map(({ cell }) => cell), ratio: geometricMean })];
}

/** @param {Report} base @param {Report} next @param {{cell: CellResult, other: CellResult}[]} common */
function differencesOf(base, next, common) {
  const cells = common.map(({ cell }) => cell);
  return [
    ...Object.entries(FACTS).flatMap(([subject, factsOf]) => {
      const changes = changesOf(factsOf(base, cells), factsOf(next, cells));
      const of = /** @type {Subject} */ (subject);
      return changes.length > 0 ? [found('difference', { subject: of, changes })] : [];
    }),
    ...optionDifferences(common),
    ...(base.partial ? [found('ended-early', { report: 'base' })] : []),
    ...(next.partial ? [found('ended-early', { report: 'new' })] : []),
  ];
}

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
  return alike(all, ({ change }) => JSON.stringify(change)).map((own) => {
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

/** @param {ComparisonFinding} finding @param {(id: string) => string} nameOf @returns {string} */
function warningText(finding, nameOf) {
  switch (finding.kind) {
    case 'difference':
      return differenceText(finding);
    case 'ended-early':
      return `the ${finding.report === 'base' ? 'first' : 'second'} result ended early`;
    case 'started-once':
      return `not compared, because one of the results has a single warm start: ${namesText(finding.cells, nameOf)}; use --starts for both`;
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
  alike(cells, nameOf)
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
