import { groupBy } from '../collections.js';
import { factText } from '../report/fact-words.js';
import { neverWarmed } from './slices.js';
import { summarize, withPass } from './summary.js';

/** @import { GroupComparison } from '../commands/benchmark/judge/types.js' */
/** @import { Cell } from '../run/plan/types.js' */
/** @import { CellRecord, CellResult, Ending, Report, ResultFacts, ResultHeader, ResultRecord, Run } from './types.js' */

/** @param {ResultHeader} header @param {ResultRecord[]} records @param {Ending} ending */
export function factsOf({ type: _, cells: __, ...facts }, records, { finishedAt, partial, failure }) {
  const distances = records.flatMap((record) => {
    if (record.type !== 'distance') return [];
    const { type: _type, ...distance } = record;
    return distance;
  });
  return { ...facts, finishedAt, partial, failure, ...(distances.length > 0 && { distances }) };
}

/**
 * The report of a command that tests nothing: its tables say what they show.
 * @param {ResultHeader} header @param {ResultRecord[]} records @param {Ending} ending @returns {Report}
 */
export function plainReport(header, records, ending) {
  const cells = resultsOf(header, records).map(withWarnings);
  return {
    ...factsOf(header, records, ending),
    cells,
    comparisons: groupBy(cells, ({ group }) => group).map((own) => ({
      ...compareUntested(own),
      test: 'none',
    })),
    findings: [],
    choices: [],
    assertions: [],
    warningFacts: ending.warningFacts,
    // A report that is read again has these warnings already.
    warnings: [...new Set([...ending.warningFacts.map(factText), ...ending.warnings])],
  };
}

/**
 * @param {CellResult[]} cells of one group
 * @param {CellResult[]} [inOrder] those with a result
 * @returns {GroupComparison} without a test
 */
export function compareUntested(cells, inOrder = cells.filter(({ summary }) => summary !== null)) {
  const rates = inOrder.map(({ summary }) => Number(summary?.opsPerSecond));
  return {
    group: cells[0].group,
    tested: { by: null, comparisons: 0, reason: 'open-loop' },
    versions: [],
    ranking: inOrder.map(({ id }, index) => ({
      cell: id,
      opsPerSecond: rates[index],
      timesSlower: rates[index] > 0 ? Math.max(1, Math.max(...rates) / rates[index]) : null,
      verdict: 'not measured',
      againstFastest: null,
      againstFirst: null,
      ofCeiling: null,
    })),
  };
}

/** @param {CellResult} cell @returns {CellResult} itself where no run has a warning as data: runs may be many */
export function withWarnings(cell) {
  const facts = new Set(cell.runs.flatMap(({ warningFacts = [] }) => warningFacts));
  if (facts.size === 0) return cell;
  // Those of a saved file are the same objects in all runs.
  const texts = new Map([...facts].map((fact) => [fact, factText(fact)]));
  const runs = cell.runs.map((run) => {
    const own = run.warningFacts?.map((fact) => texts.get(fact) ?? '') ?? [];
    // A report that is read again has these sentences already.
    return own.length === 0 ? run : { ...run, warnings: [...new Set([...own, ...run.warnings])] };
  });
  return { ...cell, runs };
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
      const { type: _, cell: __, ...facts } = record;
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
  const server = servers.find(({ name }) => name === (cell.server ?? undefined));
  const { name, sameAs, roundTripUs } = server ?? {};
  const { workerCpus = null, serverCpus = null } = placements.find(({ pin }) => pin === cell.pin) ?? {};
  const workers = cell.processes * (cell.machines ?? 1);
  const clientCpus = Math.min(workers, workerCpus?.length ?? workers);
  const runs = measured?.runs ?? [];
  const summary = summarize(runs, {
    sharedCore: cell.pin === 'same' && workerCpus !== null,
    serverCpus: serverCpus?.length ?? null,
    clientCpus,
    crowded: workers > clientCpus,
    leastMs: leastRunMs(settings),
  });
  return {
    ...cell,
    iterations: measured?.iterations ?? null,
    connections: runs.find((run) => run.connections !== null)?.connections ?? null,
    effectiveOptions: measured?.effectiveOptions ?? {},
    warm: (measured?.warm ?? true) && !neverWarmed(cell, runs, settings),
    ...(measured?.profiles && { profiles: measured.profiles }),
    ...(measured?.skipped && { skipped: measured.skipped }),
    ...(measured?.noBreakdown && { noBreakdown: measured.noBreakdown }),
    runs,
    ...(roundTripUs !== undefined && { roundTripUs }),
    ...(name !== undefined && { serverProcess: sameAs ?? name }),
    summary: summary && measured?.breakdown ? withPass(summary, measured.breakdown) : summary,
  };
}

/** Sizing is off by a factor of four at most; a run thirty times too short was sized during a stall. */
const LEAST_PART = 1 / 30;

/** @param {ResultFacts['settings']} settings @returns {number} 0 if the tool did not size the runs */
export const leastRunMs = ({ iterations, durationMs, runTimeMs, smoke }) =>
  iterations === 'auto' && durationMs === null && !smoke ? runTimeMs * LEAST_PART : 0;
