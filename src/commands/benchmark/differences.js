import { axesOf } from '../../axes/all-axes.js';
import { clientName } from '../../axes/cell-names.js';
import { groupBy } from '../../collections.js';
import { emittedText } from '../../report/run-remarks.js';

/** @import { CellResult, Report, ResultFacts } from '../../store/types.js' */
/** @import { ComparisonFinding, Difference, Subject } from './types.js' */

/**
 * What two results differ in besides what they measured, which may be why their figures differ.
 * @type {(base: Report, next: Report, common: {cell: CellResult, other: CellResult}[]) => ComparisonFinding[]}
 */
export function differencesOf(base, next, common) {
  const cells = common.map(({ cell }) => cell);
  /** @type {ComparisonFinding[]} */
  const differences = [
    ...differingFacts(base, next, cells),
    ...optionDifferences(common),
    ...emittedDifferences(common),
  ];
  if (base.partial) differences.push({ kind: 'ended-early', report: 'base' });
  if (next.partial) differences.push({ kind: 'ended-early', report: 'new' });
  return differences;
}

/** The releases of common cells are facts of the results. @type {(base: Report, next: Report, common: CellResult[]) => Difference[]} */
export const differingFacts = (base, next, common) =>
  conditionDifferences(conditionsOf(base, common), conditionsOf(next, common));

/** @typedef {Partial<Record<Subject, Record<string, unknown>>>} Conditions */

/** @type {(before: Conditions, after: Conditions) => Difference[]} */
export const conditionDifferences = (before, after) =>
  SUBJECTS.flatMap(({ subject }) => {
    const changes = changesOf(before[subject] ?? {}, after[subject] ?? {});
    return changes.length > 0 ? { kind: 'difference', subject, changes } : [];
  });

/** @typedef {ResultFacts & Pick<Report, 'cells'>} Measured */

/** @type {{subject: Subject, words: string, factsOf(report: Measured, common: CellResult[]): Record<string, unknown>}[]} */
const SUBJECTS = [
  {
    subject: 'machine',
    words: 'the machine differs',
    factsOf: ({ environment: { cpuModel, cpuCount, memoryBytes, os, arch } }) => ({
      processor: cpuModel,
      processors: cpuCount,
      os,
      architecture: arch,
      memory: `${Math.round(memoryBytes / 1e9)} GB`,
    }),
  },
  {
    subject: 'versions',
    words: 'versions differ',
    factsOf: ({ environment, tool }, cells) => ({
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
  },
  {
    subject: 'server',
    words: 'the server differs',
    factsOf: ({ servers }) =>
      leaves(
        Object.fromEntries(
          servers.map(({ kind, software, version, mode, config }) => [
            mode ?? 'mode unknown',
            { kind, software, version, ...config },
          ]),
        ),
      ),
  },
  {
    subject: 'placement',
    words: 'the placement differs',
    factsOf: ({ placements }) =>
      Object.fromEntries(
        placements.map(({ pin, serverCpus, workerCpus }) => [
          `--pin ${pin}`,
          workerCpus === null
            ? 'not pinned'
            : `${serverCpus === null ? '' : `server on ${serverCpus.join()}, `}worker on ${workerCpus.join()}`,
        ]),
      ),
  },
  {
    subject: 'settings',
    words: 'settings differ',
    factsOf: ({ settings, cells }) => ({
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
  },
];

/** What they emitted, which is nothing that was asked for. */
const EVENTS = { subject: 'events', words: 'clients emitted' };

/** @type {(report: Measured, common: CellResult[]) => Conditions} */
const conditionsOf = (report, common) =>
  Object.fromEntries(SUBJECTS.map(({ subject, factsOf }) => [subject, factsOf(report, common)]));

/** What a whole result was measured under, without the releases of clients. @type {(facts: ResultFacts) => Conditions} */
export const conditionsOfResult = (facts) => conditionsOf({ ...facts, cells: [] }, []);

/** A managed server has another address each time. */
const ADDRESS = /(^|\.)(host|port|path|servername)$/;

/** Its options, and the conditions that are not in its id. @type {(cell: CellResult) => Record<string, unknown>} */
export const optionsOf = (cell) =>
  Object.fromEntries([
    ...Object.entries(leaves(cell.effectiveOptions)).filter(([path]) => !ADDRESS.test(path)),
    ...axesOf([cell])
      .filter(({ role, idPart }) => role === 'condition' && idPart(cell) === '')
      .map((axis) => [axis.id, axis.of(cell)]),
    ['workload', cell.chosen.workload.title],
  ]);

/** One per difference. @type {(common: {cell: CellResult, other: CellResult}[]) => Difference[]} */
function optionDifferences(common) {
  const found = common.flatMap(({ cell, other }) =>
    changesOf(optionsOf(cell), optionsOf(other)).map((change) => ({ client: cell.client, change })),
  );
  return groupBy(found, ({ change }) => JSON.stringify(change)).map((same) => ({
    kind: 'difference',
    subject: 'options',
    clients: [...new Set(same.map(({ client }) => client))],
    changes: [same[0].change],
  }));
}

/** Clients that emitted something in one result only. @type {(common: {cell: CellResult, other: CellResult}[]) => Difference[]} */
function emittedDifferences(common) {
  const changes = groupBy(common, ({ cell }) => clientName({ ...cell, copy: 1 })).flatMap((own) => {
    const [before, after] = [own.map(({ cell }) => cell), own.map(({ other }) => other)];
    const isKnown = [...before, ...after].every(({ runs }) => runs.some(({ emitted }) => emitted));
    const [base, next] = [before, after].map((cells) =>
      textOf(emittedText(cells.flatMap(({ runs }) => runs))),
    );
    const name = clientName({ ...own[0].cell, copy: 1 });
    return isKnown && (base === null) !== (next === null) ? { name, base, new: next } : [];
  });
  return changes.length === 0 ? [] : [{ kind: 'difference', subject: 'events', changes }];
}

/** Values by their path, such as `socket.noDelay`. @type {(value: unknown, path?: string[]) => Record<string, unknown>} */
function leaves(value, path = []) {
  if (typeof value !== 'object' || value === null) return { [path.join('.')]: value };
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => leaves(inner, [...path, name])));
}

/** @param {Record<string, unknown>} before @param {Record<string, unknown>} after */
export const changesOf = (before, after) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => ({ name, base: textOf(before[name]), new: textOf(after[name]) }));

/** @param {unknown} value */
const textOf = (value) => (value === undefined || value === null || value === '' ? null : String(value));

/** @type {(difference: Omit<Difference, 'kind'>) => string} `versions differ: Node 22.1.0 → 24.1.0` */
export function differenceText({ subject, clients = [], changes }) {
  const words = [...SUBJECTS, EVENTS].find((each) => each.subject === subject)?.words;
  const how = changes.map(({ name, base, new: after }) => `${name} ${base ?? 'none'} → ${after ?? 'none'}`);
  return `${words ?? `options of ${clients.join(', ')} differ`}: ${how.join(', ')}`;
}
