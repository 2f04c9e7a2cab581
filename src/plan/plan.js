import { createCells } from './cells.js';
import { mostRounds } from './rounds.js';

/**
 * What will be run: the cells in their groups, and about how long that takes.
 *
 * @param {import('../types.js').Settings} settings
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports
 * @returns {import('../types.js').Plan}
 */
export function createPlan(settings, catalogue, transports) {
  const cells = createCells(settings, catalogue, transports);
  const runnable = cells.filter((cell) => cell.skipped === null);
  const names = new Set(runnable.map((cell) => cell.group));
  const groups = [...names].map((name) => runnable.filter((cell) => cell.group === name));
  return {
    cells,
    groups,
    runs: runnable.length * mostRounds(settings),
    estimateMs: estimate(settings, runnable.length),
  };
}

/** Starting a worker, loading its client, storing its data. */
const START_MS = 350;
/** Opening and closing a run's connections, two INFO, a record. */
const BETWEEN_RUNS_MS = 30;
/** How much longer than the fastest cell the others take, on average over the default run. */
const SLOWER = 2;

/**
 * @param {import('../types.js').Settings} settings
 * @param {number} cells that will run
 * @returns {number | null} null where nobody can know before the first run
 */
function estimate(settings, cells) {
  const { iterations, durationMs, runTimeMs, warmupRuns } = settings;
  if (durationMs === undefined && iterations !== 'auto') return null;
  const run = (durationMs ?? runTimeMs * SLOWER) + BETWEEN_RUNS_MS;
  const warmup = (durationMs === undefined ? runTimeMs : Math.min(durationMs, runTimeMs)) + BETWEEN_RUNS_MS;
  return cells * (START_MS + warmupRuns * warmup + mostRounds(settings) * run);
}
