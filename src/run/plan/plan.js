import { sameBut } from '../../axes/all-axes.js';
import { serverKey } from '../../axes/client-and-server.js';
import { groupBy } from '../../collections.js';
import { sum } from '../../descriptive-statistics.js';
import { MEASURING } from '../../method.js';
import { product } from './sizes.js';

/** @import { CommandPlan } from '../../commands/types.js' */
/** @import { RateRange, Settings, Topology } from '../../options/types.js' */
/** @import { Cell, CellPoint, Plan } from './types.js' */
/** @import { Catalogue } from '../../plugins/types.js' */

/** @param {Cell[]} cells @returns {Cell[]} those that will run */
export const runnable = (cells) => cells.filter((cell) => cell.skipped === null);

/** @param {Cell[]} cells @returns {Cell[][]} those that will run, by group */
export function groupsOf(cells) {
  const all = runnable(cells);
  const names = new Set(all.map(({ group }) => group));
  return [...names].map((name) => all.filter(({ group }) => group === name));
}

/**
 * @param {Cell[]} cells
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @param {CommandPlan} [command]
 * @returns {Plan}
 */
export function createPlan(cells, settings, catalogue, command = {}) {
  const groups = groupsOf(cells);
  const planned = groups.map((group) => repeatsOf(group, settings));
  const { budgetMs } = settings;
  const estimates = groups.map((group, index) =>
    estimate(group, planned[index], settings, catalogue, command),
  );
  return {
    cells,
    groups,
    runs: sum(groups.map((group, index) => group.length * planned[index].runs)),
    isAtMost: planned.some(({ isAtMost }) => isAtMost),
    estimateMs: budgetMs ?? (estimates.includes(null) ? null : sum(estimates.map(Number))),
  };
}

/**
 * What a process carries from one cell to another. Not a distance, which needs a client at another address: with a second one in
 * its process, redis:tuned took 1.16 to 1.23 times the CPU per operation on a shared connection (test/performance/carried.js).
 */
const CARRIED = ['tasks', 'appWork', 'keySize', 'valueSize', 'keys'];

/**
 * Cells that may share a process, which visits their conditions one after the other: those that differ in these alone.
 * @template {Cell} Any
 * @param {Any[]} cells
 * @returns {Any[][]}
 */
export function carriedIn(cells) {
  const rest = sameBut(CARRIED, cells);
  const keyOf = (/** @type {Any} */ cell) => `${rest(cell)} ${cell.copy}`;
  // Where conditions are compared, a group has several such cells, which take turns.
  const placeOf = new Map();
  for (const same of groupBy(cells, ({ group }) => group).flatMap((own) => groupBy(own, keyOf))) {
    for (const [place, cell] of same.entries()) placeOf.set(cell, place);
  }
  return groupBy(cells, (cell) => `${keyOf(cell)} ${placeOf.get(cell)}`);
}

/**
 * Leaves out the cells that there is no time for: those that come last.
 * @param {Cell[]} cells
 * @param {Pick<Settings, 'budgetMs' | 'races'>} settings
 * @returns {Cell[]}
 */
export function withinBudget(cells, { budgetMs, races }) {
  if (budgetMs === undefined) return cells;
  const all = runnable(cells);
  const first = new Set(races ? carriedIn(all).map(([cell]) => cell) : all);
  const costs = all.map((cell) => (first.has(cell) ? MEASURING.leastStartMs : MEASURING.leastVisitMs));
  const untilMs = costs.map((_, place) => MEASURING.endingMs + sum(costs.slice(0, place + 1)));
  const late = new Set(all.filter((_, place) => place > 0 && untilMs[place] > budgetMs));
  const needMs = MEASURING.endingMs + sum(costs);
  return cells.map((cell) =>
    late.has(cell) ? { ...cell, skipped: { kind: 'no-time', budgetMs, needMs } } : cell,
  );
}

/** @param {Cell[]} cells of a group @param {Settings} settings of each cell: starts, and runs at most or at least */
function repeatsOf(cells, settings) {
  const { rateSearch, budgetMs } = settings;
  if (rateSearch !== undefined) return { starts: 1, runs: mostSearchRuns(rateSearch), isAtMost: true };
  const starts = startsOf(settings, cells);
  if (starts === 'race') return { starts: 'race', runs: MEASURING.runs, isAtMost: true };
  return { starts: starts.length, runs: sum(starts), isAtMost: budgetMs !== undefined };
}

/** @param {RateRange} range @returns {number} runs at most */
export function mostSearchRuns([low, high]) {
  const { agreeingRuns, resolution } = MEASURING.search;
  // A factor of two is halved until it is close, and once more because rates are rounded.
  const halvings = 1 + Math.ceil(Math.log2(Math.log(2) / Math.log(resolution)));
  return (2 * agreeingRuns - 1) * (1 + Math.ceil(Math.log2(high / low)) + halvings);
}

/** A value of so many characters takes longer to send than a command to process. */
const LARGE_VALUE = 100_000;

/** What an iteration takes. */
const ROUND_TRIPS = { usual: 1, opening: 4 };

/**
 * Null where it is unknown before the first run.
 * @param {Cell[]} cells
 * @param {ReturnType<typeof repeatsOf>} repeats
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @param {CommandPlan} command
 */
function estimate(cells, { starts, runs }, settings, { scenarios, workloads }, command) {
  const { iterations, durationMs, runTimeMs, warmupRuns, smoke, cpus } = settings;
  const { startMs, sliceMs, betweenMs, longestSliceMs, budgetMs, slower } = MEASURING;
  const { usualWarmUpMs, warmUpMs, fewTakeLonger, keptAwake } = MEASURING;
  if (durationMs === undefined && iterations !== 'auto') return null;
  const states = cpus === 'both' ? 1 + keptAwake : 1;
  const slices = smoke ? 1 : Math.max(1, Math.round((durationMs ?? runTimeMs) / sliceMs));
  const ofCells = cells.map((cell) => {
    const { scenario, distance, tasks, way, valueSize, chosen } = cell;
    const own = command.lasts?.(cell);
    const opens = scenarios.get(scenario)?.opensDuringRun ?? false;
    const farMs = (distance?.rttMs ?? 0) * (opens ? ROUND_TRIPS.opening : ROUND_TRIPS.usual);
    const isLong =
      way !== undefined ||
      Number(valueSize) >= LARGE_VALUE ||
      workloads.get(chosen.workload.id)?.iterate !== undefined;
    const fixedMs = own?.durationMs ?? durationMs;
    const nearMs = fixedMs ?? (isLong ? Math.max(runTimeMs, longestSliceMs * slices) : runTimeMs * slower);
    const runMs =
      Math.max(nearMs, farMs, Math.min(longestSliceMs, farMs * slices)) +
      slices * betweenMs +
      (own?.pauseMs ?? 0);
    const each = runs / (starts === 'race' ? 1 : Number(starts));
    // Few operations fit into a warm-up, so it takes its longest time.
    const isSlow = opens || isLong || tasks === 1;
    const warmMs = (isSlow ? warmUpMs * fewTakeLonger : usualWarmUpMs) * warmupRuns;
    return startMs + (smoke ? runTimeMs : warmMs) + each * states * runMs;
  });
  const onceMs = sum(ofCells);
  const afterMs = command.afterMs?.(settings, cells.length) ?? 0;
  return afterMs + (starts === 'race' ? Math.max(budgetMs, onceMs) : Number(starts) * onceMs);
}

/**
 * The servers that the cells need: at least one, because a report names its server.
 * @template {Pick<CellPoint, 'server' | 'serverConfig'>} Source @param {Source[]} sources
 * @param {Topology[]} topologies
 * @param {Pick<Cell, 'topology' | 'transport' | 'server' | 'serverConfig'>[]} cells
 * @returns {{source: Source, topology: Topology, key: string, withTls: boolean}[]}
 */
export function serversNeeded(sources, topologies, cells) {
  const all = product({ source: sources, topology: topologies }).map(({ source, topology }) => {
    const key = serverKey({ ...source, topology });
    const own = cells.filter((cell) => serverKey(cell) === key);
    return { source, topology, key, own, withTls: own.some(({ transport }) => transport === 'tls') };
  });
  const needed = all.filter(({ own }) => own.length > 0);
  return (needed.length > 0 ? needed : all.slice(0, 1)).map(({ own: _, ...server }) => server);
}

/**
 * The runs of each cell in each of its starts. All cells are started equally often where the user says how often, and where a
 * gate judges (assertions, releases): a cell that is left behind after one start could not be judged.
 * @param {Pick<Settings, 'starts' | 'runs' | 'races' | 'smoke'>} settings
 * @param {Pick<Cell, 'openLoop' | 'version'>[]} cells of a group @returns {number[] | 'race'}
 */
export function startsOf({ starts, runs, races, smoke }, cells) {
  // A given rate is sustained or not, whatever a start adds to the CPU time: more are for comparisons.
  const isSearch = cells.some(({ openLoop }) => openLoop?.search);
  if (smoke || isSearch || (starts === 'auto' && cells.some(({ openLoop }) => openLoop !== null)))
    return [runs];
  if (races) {
    const isRace = cells.length > 1 && cells.every(({ version }) => version === null);
    return isRace ? 'race' : new Array(MEASURING.fixedStarts).fill(MEASURING.runs);
  }
  const count = starts === 'auto' ? Math.min(MEASURING.fixedStarts, runs) : starts;
  const upTo = (/** @type {number} */ start) => Math.floor((start * runs) / count);
  return Array.from({ length: count }, (_, index) => upTo(index + 1) - upTo(index));
}
