import { sum } from 'simple-statistics';
import { serverKey } from '../axes/server.js';
import { mostRounds, startsOf } from './rounds.js';
import { leastSliceMs, slicesPerRun } from './run-length.js';
import { product } from './sizes.js';
import { oneRoundMs } from './visits.js';

/** @import { Settings, Topology } from '../options/types.js' */
/** @import { Cell, CellPoint, Plan, PolicyName } from './types.js' */
/** @import { Catalogue } from '../plugins/types.js' */

/** @param {Cell[]} cells @returns {Cell[]} those that will run */
export const runnable = (cells) => cells.filter((cell) => cell.skipped === null);

/** @param {Cell[]} cells @returns {Cell[][]} those that will run, by group */
export function groupsOf(cells) {
  const all = runnable(cells);
  const names = new Set(all.map(({ group }) => group));
  return [...names].map((name) => all.filter(({ group }) => group === name));
}

/** @param {Pick<Settings, 'budgetMs' | 'rateSearch'>} settings @returns {PolicyName} */
export function policyOf({ budgetMs, rateSearch }) {
  if (budgetMs !== undefined) return 'map';
  return rateSearch === undefined ? 'rounds' : 'search';
}

/** @param {Cell[]} cells @param {Settings} settings @param {Catalogue} catalogue @returns {Plan} */
export function createPlan(cells, settings, catalogue) {
  const groups = groupsOf(cells);
  const policy = policyOf(settings);
  // A map does what it can in its time.
  const rounds = policy === 'map' ? 1 : mostRounds(settings);
  const estimates = groups.map((group) => estimate(group, settings, catalogue));
  return {
    cells,
    groups,
    policy,
    runs: groups.flat().length * rounds,
    estimateMs: settings.budgetMs ?? (estimates.includes(null) ? null : sum(estimates.map(Number))),
  };
}

/** Starting a worker, loading its client, storing its data. */
const START_MS = 350;
/** Two INFO, a request and its answer. */
const BETWEEN_SLICES_MS = 10;
/** Average of the default run: the other cells take so much longer than the fastest. */
const SLOWER = 2;
/** Until a cell is warm; later starts need half of that. */
const WARM_UP_MS = { first: 800, later: 400 };
/** Where iterations open connections or the server is far away: 3000 of them, about 2000 a second. */
const WARM_UP_LONG_MS = { first: 1500, later: 1500 };

/** Of an iteration. */
const ROUND_TRIPS = { usual: 1, opening: 4 };

/** Null where it is unknown before the first run. @param {Cell[]} cells @param {Settings} settings @param {Catalogue} catalogue */
function estimate(cells, settings, { scenarios }) {
  const { iterations, durationMs, runTimeMs, warmupRuns, smoke } = settings;
  if (settings.quick) return oneRoundMs(cells, settings);
  if (durationMs === undefined && iterations !== 'auto') return null;
  const slices = slicesPerRun({ expectedMs: durationMs ?? runTimeMs, iterations: null, divisible: !smoke });
  const near = runTimeMs * SLOWER;
  const warmUps = durationMs === undefined ? Math.max(1, warmupRuns) : warmupRuns;
  const starts = startsOf(settings, cells).length;
  const ofCells = cells.map(({ scenario, distance, idleMs = 0 }) => {
    const opens = scenarios.get(scenario)?.opensDuringRun ?? false;
    const far =
      slices * leastSliceMs((distance?.rttMs ?? 0) * (opens ? ROUND_TRIPS.opening : ROUND_TRIPS.usual));
    const run = (durationMs ?? Math.max(near, far)) + slices * BETWEEN_SLICES_MS + idleMs;
    const { first, later } = opens || distance !== undefined ? WARM_UP_LONG_MS : WARM_UP_MS;
    const warmUp = smoke ? starts * runTimeMs : first + (starts - 1) * later;
    return starts * START_MS + warmUps * warmUp + mostRounds(settings) * run;
  });
  return sum(ofCells);
}

/**
 * The servers that the cells need: at least one, because a report names its server.
 * @template {Pick<CellPoint, 'server' | 'serverConfig' | 'serverCopy'>} Source @param {Source[]} sources
 * @param {Topology[]} topologies
 * @param {Pick<Cell, 'topology' | 'transport' | 'server' | 'serverConfig' | 'serverCopy'>[]} cells
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
