import { alike } from '../../core/alike.js';
import { UsageError } from '../../core/errors.js';
import { evaluateAssertion } from '../assertions/evaluate.js';
import { checkReferences } from '../assertions/references.js';
import { analyse } from './analyse.js';
import { ofOpenLoop } from './open-loop.js';
import { summarize } from './summary.js';
import { staysCold } from './warm-runs.js';

/**
 * @import { Settings } from '../../options/types.js'
 * @import { Cell } from '../../core/plan/types.js'
 * @import { CellRecord, CellResult, Ending, MeasuredDistance, ReportData, ResultFacts } from '../../core/store/types.js'
 * @import { ResultHeader, ResultRecord, Run } from '../../core/store/types.js'
 * @import { AssertionResult } from './types.js'
 */

/**
 * Makes a report, without words, from the records of a benchmark that has just ended, or of a saved one.
 * @param {ResultHeader} header @param {ResultRecord[]} records @param {Ending} ending @returns {ReportData}
 */
export function createReport(header, records, ending) {
  const { type: _, cells: __, ...facts } = header;
  const cells = resultsOf(header, records);
  const { finishedAt, partial, failure, warningFacts, warnings } = ending;
  const distances = records.flatMap(({ type, ...record }) =>
    type === 'distance' ? /** @type {MeasuredDistance} */ (record) : [],
  );
  const limited = warningFacts.find((fact) => fact.kind === 'cpu-limited');
  // The report of another command says what its tables show.
  const { comparisons, findings } =
    header.command === undefined
      ? analyse(cells, facts.settings, partial, distances, limited)
      : {
          comparisons: alike(cells, ({ group }) => group).map((own) =>
            ofOpenLoop(
              own[0].group,
              own.filter(({ summary }) => summary !== null),
            ),
          ),
          findings: [],
        };
  return {
    ...facts,
    finishedAt,
    partial,
    failure,
    cells,
    ...(distances.length > 0 && { distances }),
    comparisons,
    findings,
    assertions: decide(cells, facts.settings),
    warningFacts,
    warnings,
  };
}

/** None for a smoke run. @param {CellResult[]} cells @param {Pick<Settings, 'assert' | 'assertStrict' | 'smoke'>} settings */
const decide = (cells, { assert, assertStrict, smoke }) =>
  smoke ? [] : assert.map((text) => evaluateAssertion(text, cells, assertStrict));

/**
 * @template {Pick<ReportData, 'settings' | 'cells' | 'assertions'>} Any @param {Any} report
 * @param {Pick<Settings, 'assert' | 'assertStrict'>} assertions @returns {Any} with these assertions
 * @throws {UsageError} if its cells and figures cannot decide them
 */
export function withAssertions(report, { assert, assertStrict }) {
  if (report.settings.smoke) {
    throw new UsageError('--assert needs real figures, and this result is a smoke run');
  }
  if (assertStrict && assert.length === 0) {
    throw new UsageError('--assert-strict has no effect without an assertion; add --assert, or leave it out');
  }
  const settings = { ...report.settings, assert, assertStrict };
  checkReferences(assert, assertStrict, report.cells);
  return { ...report, settings, assertions: decide(report.cells, settings) };
}

/** @param {ResultHeader} header @param {ResultRecord[]} records @returns {CellResult[]} */
export function resultsOf({ cells, ...facts }, records) {
  const measured = byCell(records);
  const added = records.flatMap((record) => (record.type === 'planned' ? record.cell : []));
  return [...cells, ...added].map((cell) => resultOf(cell, facts, measured.get(cell.id)));
}

/** @typedef {Omit<CellRecord, 'type' | 'cell'> & {runs: Run[]}} Measured */

/** @param {Iterable<ResultRecord>} records @returns {Map<string, Measured>} by cell id */
export function byCell(records) {
  /** @type {Map<string, Measured>} */
  const cells = new Map();
  for (const record of records) {
    if (record.type === 'planned' || record.type === 'distance') continue;
    const cell = cells.get(record.cell) ?? { iterations: null, effectiveOptions: {}, runs: [] };
    cells.set(record.cell, cell);
    if (record.type === 'run') cell.runs.push(record.run);
    else {
      const { type: _, cell: _id, ...facts } = record;
      Object.assign(cell, facts);
    }
  }
  return cells;
}

/**
 * @param {Cell} cell @param {Pick<ResultFacts, 'placements' | 'servers' | 'settings'>} facts
 * @param {Measured} [measured] missing if it was skipped or not reached @returns {CellResult}
 */
function resultOf(cell, { placements, servers, settings }, measured) {
  const { name, sameAs, roundTripUs } =
    servers.find((each) => each.name === (cell.server ?? undefined)) ?? {};
  const placement = placements.find(({ pin }) => pin === cell.pin);
  const sharedCore = cell.pin === 'same' && placement?.workerCpus != null;
  const serverCpus = placement?.serverCpus?.length ?? null;
  const workers = cell.processes * (cell.machines ?? 1);
  const clientCpus = Math.min(workers, placement?.workerCpus?.length ?? workers);
  const runs = measured?.runs ?? [];
  return {
    ...cell,
    iterations: measured?.iterations ?? null,
    connections: runs.find((run) => run.connections !== null)?.connections ?? null,
    effectiveOptions: measured?.effectiveOptions ?? {},
    warm: (measured?.warm ?? true) && !staysCold(cell, runs, settings),
    ...(measured?.profiles && { profiles: measured.profiles }),
    runs,
    ...(roundTripUs !== undefined && { roundTripUs }),
    ...(name !== undefined && { serverProcess: sameAs ?? name }),
    summary: summarize(runs, {
      sharedCore,
      serverCpus,
      clientCpus,
      crowded: workers > clientCpus,
      leastMs: leastRunMs(settings),
    }),
  };
}

/** Sizing is off by a factor of four at most; a run thirty times too short was sized during a stall. */
const LEAST_PART = 1 / 30;

/** @param {ResultFacts['settings']} settings @returns {number} 0 if the tool did not size the runs */
export const leastRunMs = ({ iterations, durationMs, runTimeMs, smoke }) =>
  iterations === 'auto' && durationMs === null && !smoke ? runTimeMs * LEAST_PART : 0;
