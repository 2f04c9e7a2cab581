import { compareGroup } from '../stats/compare-group.js';
import { summarize } from '../stats/summary.js';

export const SCHEMA_VERSION = 1;

/**
 * Everything that is known at the end of a benchmark, as plain JSON.
 *
 * @param {object} facts
 * @param {import('../types.js').Plan} facts.plan
 * @param {import('../types.js').PlanOutcome} facts.outcome
 * @param {import('../types.js').Settings} facts.settings
 * @param {{id: string, title: string}} facts.suite
 * @param {import('../types.js').Environment} facts.environment
 * @param {import('../types.js').ServerFacts[]} facts.servers one for each topology
 * @param {{name: string, version: string}} facts.tool
 * @param {Date} facts.startedAt
 * @param {Date} facts.finishedAt
 * @param {boolean} facts.interrupted
 * @param {string | null} facts.failure why the benchmark could not go on
 * @returns {import('../types.js').Report}
 */
export function createReport({
  plan,
  outcome,
  settings,
  suite,
  environment,
  servers,
  tool,
  startedAt,
  finishedAt,
  interrupted,
  failure,
}) {
  const measured = new Map(outcome.cells.map((each) => [each.cell.id, each]));
  const cells = plan.cells.map((cell) => resultOf(cell, outcome.placements, measured.get(cell.id)));
  const groups = [...new Set(cells.map((cell) => cell.group))];
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    partial: interrupted || failure !== null,
    failure,
    seed: settings.seed,
    suite: { id: suite.id, title: suite.title },
    settings: {
      runs: settings.runs,
      warmupRuns: settings.warmupRuns,
      runTimeMs: settings.runTimeMs,
      durationMs: settings.durationMs ?? null,
      iterations: settings.iterations,
      value: settings.value,
      smoke: settings.smoke,
    },
    environment,
    server: servers[0],
    servers,
    placements: outcome.placements,
    cells,
    comparisons: groups.map((group) =>
      compareGroup(
        group,
        cells.filter((cell) => cell.group === group),
      ),
    ),
    warnings: outcome.warnings,
  };
}

/**
 * @param {import('../types.js').Cell} cell
 * @param {import('../types.js').Placement[]} placements
 * @param {import('../types.js').MeasuredCell} [measured] missing where it was skipped, or the end came first
 * @returns {import('../types.js').CellResult}
 */
function resultOf(cell, placements, measured) {
  const placement = placements.find(({ pin }) => pin === cell.pin);
  const sharedCore = cell.pin === 'same' && placement?.workerCpus != null;
  const serverCpus = placement?.serverCpus?.length ?? null;
  const clientCpus = Math.min(cell.processes, placement?.workerCpus?.length ?? cell.processes);
  const runs = measured?.runs ?? [];
  return {
    ...cell,
    iterations: measured?.iterations ?? null,
    connections: runs.find((run) => run.connections !== null)?.connections ?? null,
    effectiveOptions: measured?.effectiveOptions ?? {},
    runs,
    summary: summarize(runs, { sharedCore, serverCpus, clientCpus }),
  };
}
