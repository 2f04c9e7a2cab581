import { sum } from '../../descriptive-statistics.js';
import { UsageError } from '../../errors.js';

/** @import { CommandPlan } from '../../commands/types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { Cell, CellPoint, OpenLoopPlan, SkipReason, SkipReasons } from './types.js' */
/** @import { Catalogue, Chosen, RequestKind } from '../../plugins/types.js' */
/** @import { Part } from '../../worker/types.js' */

/** Enough for 200,000 a second through a pause of 50 ms, and about 20 MB of a client's memory. */
const MAX_IN_FLIGHT = 10_000;

/** The p99 that a search allows: little enough for a service not to notice. */
const SEARCH_SLO_MS = 5;

/**
 * One load for each rate, the first of a search, or the one of a closed loop.
 * @param {Settings} settings
 * @param {Catalogue['scenarios']} known
 * @param {CommandPlan} command
 * @returns {(OpenLoopPlan | null)[]}
 * @throws {UsageError}
 */
export function loadsOf(settings, known, { mostInFlight }) {
  const { rate, rateSearch, speed, sloMs, maxInFlight, scenarios } = settings;
  const search = rateSearch ?? null;
  // The rate of a recorded speed is known with the workload.
  const rates = speed?.map(() => 1) ?? (search === null ? rate : [search[0]]);
  if (rates === undefined) return [null];
  // Each bound makes a cell in a scenario that takes this option itself.
  const isBound = (/** @type {string} */ id) => 'maxInFlight' in (known.get(id)?.ownOptions ?? {});
  if (maxInFlight && maxInFlight.length > 1 && !scenarios.every(isBound)) {
    throw new UsageError(
      '--max-in-flight: with --rate expected one bound, except in scenarios that take their own, as bounded does',
    );
  }
  const [bound = mostInFlight?.commands ?? MAX_IN_FLIGHT] = maxInFlight ?? [];
  return rates.map((ratePerSecond, index) => ({
    ratePerSecond,
    search,
    sloMs: sloMs ?? (search === null ? null : SEARCH_SLO_MS),
    arrivals: speed === undefined ? (settings.arrivals ?? 'even') : 'recorded',
    ...(speed && { speed: speed[index] }),
    whenFull: settings.whenFull,
    maxInFlight: bound,
  }));
}

/**
 * Limits the load of a cell by its scenario's own option, and by bytes.
 * @param {OpenLoopPlan | null} load
 * @param {Pick<CellPoint, 'scenarioOptions' | 'keySize' | 'valueSize'> & Pick<Cell, 'chosen'>} cell
 * @param {Settings} settings
 * @param {CommandPlan} command
 * @returns {OpenLoopPlan | null}
 */
export function boundLoad(load, cell, { arrivals, maxInFlightBytes }, { mostInFlight }) {
  if (load === null) return null;
  const mostBytes = mostInFlight?.bytes ?? maxInFlightBytes;
  const byBytes = Math.max(1, Math.floor(mostBytes / (cell.keySize + cell.valueSize)));
  const { data } = cell.chosen.workload;
  const recorded = load.speed !== undefined &&
    data && { ratePerSecond: Math.max(1, Math.round(load.speed * data.ratePerSecond)) };
  // Steps of a search are compared, so their rates must not vary within a run.
  const keepsTimes = data !== undefined && arrivals === undefined && load.search === null;
  return {
    ...load,
    ...recorded,
    arrivals: keepsTimes ? 'recorded' : load.arrivals,
    maxInFlight: Math.min(Number(cell.scenarioOptions.maxInFlight ?? load.maxInFlight), byBytes),
  };
}

/** Undefined where each operation is sent alone. @param {Chosen} mode @param {Pick<Catalogue, 'pipelining'>} catalogue */
export const batchSizeOf = ({ id, parameter }, { pipelining }) => pipelining.get(id)?.batchSize?.(parameter);

/** @param {Chosen} workload @param {Pick<Catalogue, 'workloads'>} catalogue @returns {number} ms for which an operation may wait by itself */
export const waitOf = ({ id, parameter }, { workloads }) => workloads.get(id)?.waitMs?.(parameter) ?? 0;

/** @param {Chosen} workload @param {Pick<Catalogue, 'workloads'>} catalogue */
export const requestOf = ({ id, parameter }, { workloads }) => workloads.get(id)?.request?.(parameter);

/** Keys per operation. @param {Chosen} workload @param {Pick<Catalogue, 'workloads'>} catalogue */
export const requestSizeOf = (workload, catalogue) => requestOf(workload, catalogue)?.count ?? 1;

/** @param {RequestKind} kind @param {Pick<Catalogue, 'ways'>} catalogue @returns {string[]} the ways to code it */
export const waysFor = (kind, { ways }) =>
  [...ways.values()]
    .filter(({ ofBackfills = false }) => ofBackfills === (kind.isBackfill ?? false))
    .filter(({ ofMany }) => !ofMany || kind.many !== undefined)
    .map(({ id }) => id);

/**
 * @template {keyof SkipReasons} Kind
 * @param {Kind} kind
 * @param {SkipReasons[Kind]} facts
 * @returns {SkipReason}
 */
export const skip = (kind, facts) => /** @type {SkipReason} */ ({ kind, ...facts });

/** The number of steps does not depend on it. */
export const ANY_CONTEXT = { role: 0, keys: 1, processes: 1, itemsOf: () => [] };

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue */
export function loadConflict({ openLoop: load, chosen: { workload, pipelining }, ...cell }, catalogue) {
  if (load === null) return null;
  const processes = workersOf(cell);
  const iterations = catalogue.workloads.get(workload.id)?.cycle?.(workload.parameter, ANY_CONTEXT) ?? [];
  const batchSize = batchSizeOf(pipelining, catalogue);
  // Only in a batch are all commands of an operation in flight at once.
  const batch =
    batchSize === undefined ? null : batchSize * Math.max(1, ...iterations.map((steps) => steps.length));
  const least = share(load.maxInFlight, { index: processes - 1, count: processes });
  return least < (batch ?? 1)
    ? skip('low-max-in-flight', { limit: load.maxInFlight, processes, batch })
    : null;
}

/** @param {number} whole @param {Part} part @returns {number} the shares of all parts add up to the whole */
export const share = (whole, { index, count }) => Math.floor(whole / count) + (index < whole % count ? 1 : 0);

/** @param {Pick<CellPoint, 'processes' | 'machines'>} cell @returns {number} worker processes on all machines */
export const workersOf = ({ processes, machines = 1 }) => processes * machines;

/** @param {Pick<CellPoint, 'tasks' | 'machines'>} cell @returns {number[]} tasks of each process on each machine */
export const taskShares = ({ tasks, machines = 1 }) =>
  Array.from({ length: machines }, (_, index) => share(tasks, { index, count: machines }));

/** @param {Pick<CellPoint, 'tasks' | 'machines'>} cell */
export const shareConflict = ({ tasks, machines = 1 }) =>
  tasks >= machines ? null : skip('tasks-per-machine', { tasks, machines });

/** Processes that it needs. @param {Chosen} workload @param {Pick<Catalogue, 'workloads'>} catalogue */
export const rolesOf = ({ id, parameter }, { workloads }) => workloads.get(id)?.processes?.(parameter) ?? 1;

/** One process sends, another receives. @param {Chosen} workload @param {Pick<Catalogue, 'workloads'>} catalogue */
export const arePairs = (workload, catalogue) =>
  rolesOf(workload, catalogue) === 2 && catalogue.workloads.get(workload.id)?.receive !== undefined;

/**
 * Operations that a process can have in flight: with the round trip, they limit the rate of a closed loop.
 * @param {Pick<CellPoint, 'scenario' | 'scenarioOptions' | 'tasks' | 'machines'>} cell
 * @param {Chosen} chosen pipelining mode @param {Catalogue} catalogue
 * @returns {Cell['inFlight']} null where the scenario does not say
 */
export function underWayIn({ scenario, scenarioOptions, ...cell }, chosen, catalogue) {
  const plugin = catalogue.scenarios.get(scenario);
  const mode = catalogue.pipelining.get(chosen.id);
  if (!plugin?.tasksAtOnce || !mode) return null;
  const { tasksAtOnce, connections } = plugin;
  const onMachine = (/** @type {number} */ tasks) => {
    const busy = Math.min(tasks, tasksAtOnce(tasks, scenarioOptions));
    return mode.takesTurns ? Math.min(busy, connections(tasks, scenarioOptions)) : busy;
  };
  return { atOnce: sum(taskShares(cell).map(onMachine)), batch: batchSizeOf(chosen, catalogue) ?? 1 };
}
