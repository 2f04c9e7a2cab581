import { axesOf } from '../../axes/all-axes.js';
import { alike } from '../../core/alike.js';

/** @import { CellResult, Report, ResultFacts } from '../../core/store/types.js' */
/** @import { Change, ComparisonFinding, Subject } from '../judge/types.js' */

/** @param {Report} base @param {Report} next @param {{cell: CellResult, other: CellResult}[]} common @returns {ComparisonFinding[]} */
export function differencesOf(base, next, common) {
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
