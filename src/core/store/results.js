import { staysCold } from './slices.js';
import { summarize } from './summary.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { CellRecord, CellResult, ResultFacts, ResultHeader, ResultRecord, Run } from './types.js' */

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
  for (const { type, ...record } of records) {
    if (type === 'planned' || type === 'distance') continue;
    const { cell: id, ...facts } = /** @type {any} */ (record);
    const cell = cells.get(id) ?? { iterations: null, effectiveOptions: {}, runs: [] };
    cells.set(id, cell);
    if (type === 'run') cell.runs.push(facts.run);
    else Object.assign(cell, facts);
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
  return {
    ...cell,
    iterations: measured?.iterations ?? null,
    connections: runs.find((run) => run.connections !== null)?.connections ?? null,
    effectiveOptions: measured?.effectiveOptions ?? {},
    warm: (measured?.warm ?? true) && !staysCold(cell, runs, settings),
    ...(measured?.profiles && { profiles: measured.profiles }),
    ...(measured?.skipped && { skipped: measured.skipped }),
    runs,
    ...(roundTripUs !== undefined && { roundTripUs }),
    ...(name !== undefined && { serverProcess: sameAs ?? name }),
    summary: summarize(runs, {
      sharedCore: cell.pin === 'same' && workerCpus !== null,
      serverCpus: serverCpus?.length ?? null,
      ...{ clientCpus, crowded: workers > clientCpus, leastMs: leastRunMs(settings) },
    }),
  };
}

/** Sizing is off by a factor of four at most; a run thirty times too short was sized during a stall. */
const LEAST_PART = 1 / 30;

/** @param {ResultFacts['settings']} settings @returns {number} 0 if the tool did not size the runs */
export const leastRunMs = ({ iterations, durationMs, runTimeMs, smoke }) =>
  iterations === 'auto' && durationMs === null && !smoke ? runTimeMs * LEAST_PART : 0;
