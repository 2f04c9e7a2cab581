import { geometricMean } from 'simple-statistics';
import { axesOf, idOf } from '../../axes/all-axes.js';
import { alike } from '../../core/alike.js';
import { UsageError } from '../../core/errors.js';
import { contrastFamily, medianOf } from '../../core/statistics/contrasts.js';
import { findMetric, metricsOfRuns, samplesIn } from '../../core/store/metrics.js';
import { isDisturbed } from '../judge/slices.js';

/** @import { CellResult, Metric, Report, ResultFacts } from '../../core/store/types.js' */
/** @import { Change, ComparisonFinding, ReportComparison, Subject, Tested } from '../judge/types.js' */

/**
 * Compares two reports cell by cell; equal cells may have different ids, by release of this tool. The test knows how much runs
 * vary within a report, but not what changed on the machine between the two. `ratio`: new over base.
 * @typedef {ReturnType<typeof compareReports>} ComparedReports
 * @param {Report} base @param {Report} next @param {string} name of a metric @throws {UsageError}
 */
export function compareReports(base, next, name) {
  const metric = metricOf(name);
  const others = new Map(next.cells.map((cell) => [idOf(cell), cell]));
  const common = base.cells.flatMap((cell) => sampledPair(cell, others.get(idOf(cell)), metric) ?? []);
  if (common.length === 0) throw new UsageError(nothingInCommon(base, next, metric));
  const [{ tested, between }] = contrastFamily([
    { pairs: common.map(({ before, after }) => [after, before]), inRounds: false },
  ]);
  const cells = common.map(({ cell, before, after }) => ({
    cell: cell.id,
    base: medianOf(before),
    new: medianOf(after),
    ratio: medianOf(after) / medianOf(before),
    contrast: between(after, before),
  }));
  const ids = new Set(common.map(({ cell }) => idOf(cell)));
  const mean = geometricMean(cells.map(({ ratio }) => ratio));
  const floors = common.map(({ cell }, index) => ({ ...cells[index], floor: cell.floor }));
  return {
    metric: metric.id,
    unit: metric.unit,
    moreIsBetter: metric.better === null ? null : metric.better === 'more',
    tested,
    cells,
    geometricMean: mean,
    onlyBase: idsWithout(base, ids),
    onlyNew: idsWithout(next, ids),
    findings: [
      ...differencesOf(base, next, common),
      ...startedOnce(cells, tested),
      ...driftOf(floors, mean),
      ...(OF_TIME.includes(metric.unit) ? disturbedIn(common) : []),
    ],
  };
}

/** @param {{cell: string, contrast: unknown}[]} cells @param {Tested} tested @returns {ComparisonFinding[]} */
function startedOnce(cells, { by }) {
  const found = cells.filter(({ contrast }) => contrast === null).map(({ cell }) => cell);
  return by !== 'starts' || found.length === 0 ? [] : [{ kind: 'started-once', cells: found }];
}

/** The units of what other programs change; they add no bytes or commands. */
const OF_TIME = ['ms', 'µs', 'ops/s', 'share'];

/** Cells that waited for CPU in most slices. @param {{cell: CellResult, other: CellResult}[]} common @returns {ComparisonFinding[]} */
function disturbedIn(common) {
  const most = (/** @type {CellResult[]} */ cells) => {
    const waits = cells.flatMap(({ summary }) => summary?.waits ?? []).filter(isDisturbed);
    return waits.length === 0 ? null : Math.max(...waits.map(({ waitedShare }) => waitedShare));
  };
  const found = common.filter(({ cell, other }) => most([cell, other]) !== null);
  if (found.length === 0) return [];
  return [
    {
      kind: 'disturbed',
      cells: found.map(({ cell }) => cell.id),
      baseWaitedShare: most(found.map(({ cell }) => cell)),
      newWaitedShare: most(found.map(({ other }) => other)),
    },
  ];
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
  const scale =
    metric.growsWithIterations && cell.iterations && other.iterations
      ? cell.iterations / other.iterations
      : 1;
  // A 0 was too little to be counted, and has no ratio.
  const [before, after] = [cell, other].map((each) =>
    samplesIn(each, metric).filter(({ value }) => value > 0),
  );
  if (before.length === 0 || after.length === 0) return null;
  const scaled = after.map(({ value, ...rest }) => ({ value: value * scale, ...rest }));
  return { cell, other, before, after: scaled };
}

/** The cells with a result, other than these. @param {Report} report @param {Set<string>} ids */
const idsWithout = (report, ids) =>
  report.cells.flatMap((cell) => (cell.summary !== null && !ids.has(idOf(cell)) ? [cell.id] : []));

/** @param {Report} base @param {Report} next @param {Metric} metric */
function nothingInCommon(base, next, metric) {
  const ids = (/** @type {Report} */ report) =>
    report.cells.flatMap((cell) => (cell.summary ? [idOf(cell)] : []));
  const same = ids(base).filter((id) => ids(next).includes(id));
  if (same.length > 0) return `--metric: no cell has ${metric.id} in both results; choose another one`;
  const list = (/** @type {string[]} */ all) =>
    all.length === 0
      ? 'no cell with a result'
      : `${all.slice(0, 3).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
  return `the two results have no cell in common, so there is nothing to compare: the first has ${list(ids(base))}; the second ${list(ids(next))}`;
}

/**
 * The cells that became worse by at least this much, proven or not; not those that waited for CPU.
 * @param {ReportComparison} comparison @param {number} percent
 * @throws {UsageError} for a metric without a better direction
 */
export function findRegressions({ cells, metric, moreIsBetter, findings }, percent) {
  if (moreIsBetter === null) {
    throw new UsageError(
      `--fail-on: neither more nor less ${metric} is worse; use a metric that 'list' calls better in one direction`,
    );
  }
  const disturbed = findings.find((finding) => finding.kind === 'disturbed');
  const ids = disturbed?.cells ?? [];
  const worse = cells
    .filter(({ cell }) => !ids.includes(cell))
    .map((cell) => ({ ...cell, worseBy: (moreIsBetter ? 1 - cell.ratio : cell.ratio - 1) * 100 }))
    .filter(({ worseBy }) => worseBy >= percent);
  return {
    certain: worse.filter(({ contrast }) => contrast?.differs),
    unsure: worse.filter(({ contrast }) => !contrast?.differs),
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
 * @returns {ComparisonFinding[]}
 */
export function driftOf(cells, geometricMean) {
  const moved = cells.filter(({ ratio }) => Math.abs(Math.log(ratio)) >= NOTABLE);
  const floor = moved.find((cell) => cell.floor);
  if (floor) return [{ kind: 'moved', what: 'floor', cells: [floor.cell], ratio: floor.ratio }];
  // A cell that did not move speaks against the machine.
  const sameWay = moved.filter(({ ratio }) => ratio > 1 === geometricMean > 1);
  if (cells.length < FEWEST_CELLS || sameWay.length < cells.length) return [];
  return [{ kind: 'moved', what: 'all', cells: cells.map(({ cell }) => cell), ratio: geometricMean }];
}

/** @param {Report} base @param {Report} next @param {{cell: CellResult, other: CellResult}[]} common @returns {ComparisonFinding[]} */
function differencesOf(base, next, common) {
  const cells = common.map(({ cell }) => cell);
  return [
    ...Object.entries(FACTS).flatMap(([subject, factsOf]) =>
      differences(/** @type {Subject} */ (subject), factsOf(base, cells), factsOf(next, cells)),
    ),
    ...optionDifferences(common),
    ...earlyEnds(base, next),
  ];
}

/** @type {Partial<Record<Subject, (report: ResultFacts & Pick<Report, 'cells'>, common: CellResult[]) => Record<string, unknown>>>} */
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
    [tool.name]: tool.version,
    // A requested release is part of the cell's name.
    ...Object.fromEntries(
      Object.entries(environment.packages).filter(([name]) =>
        cells.some(({ client, version }) => !version && client === name.slice(name.indexOf('/') + 1)),
      ),
    ),
  }),
  server: ({ servers }) => {
    const byMode = servers.map(({ kind, software, version, mode, config }) => [
      mode ?? 'mode unknown',
      { kind, software, version, ...config },
    ]);
    return leaves(Object.fromEntries(byMode));
  },
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

/** @param {CellResult} cell */
const optionsOf = ({ effectiveOptions }) =>
  Object.fromEntries(Object.entries(leaves(effectiveOptions)).filter(([path]) => !ADDRESS.test(path)));

/** @param {{cell: CellResult, other: CellResult}[]} common @returns {ComparisonFinding[]} one per difference */
function optionDifferences(common) {
  const found = common.flatMap(({ cell, other }) => {
    const [before, after] = [cell, other].map((each) => ({ ...optionsOf(each), ...conditionsOf(each) }));
    return changesOf(before, after).map((change) => ({ client: cell.client, change }));
  });
  return alike(found, ({ change }) => JSON.stringify(change)).map((own) => ({
    kind: 'difference',
    subject: 'options',
    clients: [...new Set(own.map(({ client }) => client))],
    changes: [own[0].change],
  }));
}

/** Conditions that are not in its id. @param {CellResult} cell @returns {Record<string, unknown>} */
const conditionsOf = (cell) =>
  Object.fromEntries(
    axesOf([cell])
      .filter(({ role, idPart }) => role === 'condition' && idPart(cell) === '')
      .map((axis) => [axis.id, axis.of(cell)]),
  );

/** A managed server has another address each time. */
const ADDRESS = /(^|\.)(host|port|path|servername)$/;

/** By path, `socket.noDelay`. @param {unknown} value @param {string[]} path @returns {Record<string, unknown>} */
function leaves(value, path = []) {
  if (typeof value !== 'object' || value === null) return { [path.join('.')]: value };
  return Object.assign({}, ...Object.entries(value).map(([name, part]) => leaves(part, [...path, name])));
}

/** @param {Report} base @param {Report} next @returns {ComparisonFinding[]} */
const earlyEnds = (base, next) => [
  ...(base.partial ? [/** @type {const} */ ({ kind: 'ended-early', report: 'base' })] : []),
  ...(next.partial ? [/** @type {const} */ ({ kind: 'ended-early', report: 'new' })] : []),
];

/**
 * @param {Subject} subject @param {Record<string, unknown>} before @param {Record<string, unknown>} after @returns {ComparisonFinding[]}
 */
function differences(subject, before, after) {
  const changes = changesOf(before, after);
  return changes.length > 0 ? [{ kind: 'difference', subject, changes }] : [];
}

/** @param {Record<string, unknown>} before @param {Record<string, unknown>} after @returns {Change[]} */
export const changesOf = (before, after) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => ({ name, base: textOf(before[name]), new: textOf(after[name]) }));

/** @param {unknown} value */
const textOf = (value) => (value === undefined || value === null || value === '' ? null : String(value));
