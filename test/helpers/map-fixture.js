import { decidePoint } from '../../src/analysis/findings/decide-point.js';
import { leftOutIn } from '../../src/analysis/findings/map-findings.js';
import { loadCatalogue, loadOptions } from '../../src/index.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { visitPoints } from '../../src/plan/visits.js';
import { planOf } from './plan.js';
import { createRandom } from './random.js';
import { createFixture, goodRun } from './report-fixture.js';

/**
 * @import { Cell } from '../../src/plan/types.js'
 * @import { Run } from '../../src/results/types.js'
 */

export const MAP_SUITE = {
  id: 'map',
  title: 'Where which choice wins',
  summary: 'for tests',
  options: {
    clients: ['redis:tuned', 'ioredis', 'redis'],
    poolSize: [3, 10],
    tasks: [1, 4, 16, 64, 256],
    rtt: ['0', '0.5ms', '2ms', '10ms'],
    budgetMs: 300_000,
  },
};

/** CPU time of an operation, in µs. */
const CPU_US = { 'redis:tuned': 3, 'redis:default': 15, 'ioredis:default': 8 };

/**
 * Operations a second of an invented client: bound by its CPU, or by round trips and what is under way.
 *
 * @param {Cell} cell
 */
export function inventedSpeed({ client, variant, scenario, scenarioOptions, tasks, distance }) {
  const rttUs = 60 + (distance?.rttMs ?? 0) * 1000;
  const cpuUs = CPU_US[/** @type {keyof typeof CPU_US} */ (`${client}:${variant}`)];
  if (scenario === 'open-and-close') return (1e6 * Math.min(tasks, 8)) / (rttUs * 4 + 1500);
  const pool = Number(scenarioOptions.poolSize ?? Number.POSITIVE_INFINITY);
  const own = scenario === 'shared-connection' ? cpuUs : cpuUs + 6;
  return 1e6 / Math.max(own, (rttUs + own) / Math.min(tasks, pool));
}

/**
 * The report of a map of invented clients, measured by the code that decides what is measured.
 *
 * @param {object} [facts]
 * @param {Record<string, unknown>} [facts.given]
 * @param {number} [facts.luck] how much starts differ
 * @param {number} [facts.startMs] what the start of a cell takes
 */
export async function mapReport({ given = {}, luck = 0.01, startMs = 100 } = {}) {
  const settings = resolveOptions({ seed: 42, ...given }, MAP_SUITE, await loadOptions());
  const catalogue = { ...(await loadCatalogue()), packages: { redis: '6.3.1', ioredis: '6.0.0' } };
  const { groups } = planOf(settings, catalogue, ['tcp', 'unix']);
  const runs = measureAll(groups, { budgetMs: Number(settings.budgetMs), luck, startMs });
  return createFixture({
    given,
    suite: MAP_SUITE,
    packages: catalogue.packages,
    measured: ({ id }) => ({ iterations: null, runs: runs.get(id) ?? [] }),
  });
}

/**
 * @param {Cell[][]} groups
 * @param {{budgetMs: number, luck: number, startMs: number}} facts
 * @returns {Map<string, Run[]>}
 */
function measureAll(groups, { budgetMs, luck, startMs }) {
  const random = createRandom(7);
  /** @type {Map<string, Run[]>} */
  const runs = new Map();
  const withRuns = (/** @type {Cell[]} */ cells) =>
    cells.map((cell) => ({ ...cell, runs: runs.get(cell.id) ?? [] }));
  let elapsedMs = 0;
  const visits = visitPoints(groups, {
    budgetMs,
    elapsedMs: () => elapsedMs,
    verdictOf(cells) {
      const { left, state } = decidePoint(withRuns(cells));
      return { left, isTied: state === 'tied' };
    },
    leftOutOf: ([{ group }]) => leftOutIn(withRuns(groups.flat()))(group),
  });
  for (const { cells, starts } of visits) {
    for (const { start, cells: taking = [] } of starts) {
      for (const cell of cells.filter(({ id }) => taking.includes(id))) {
        const speed = inventedSpeed(cell) * Math.exp(luck * random.normal());
        runs.set(cell.id, [...(runs.get(cell.id) ?? []), runOf(cell, start, speed)]);
        elapsedMs += startMs;
      }
    }
  }
  return runs;
}

const RUN_MS = 120;

/** @param {Cell} cell @param {number} start @param {number} perSecond @returns {Run} */
function runOf({ tasks }, start, perSecond) {
  const operations = Math.max(1, Math.round((perSecond * RUN_MS) / 1000));
  const elapsedMs = (operations / perSecond) * 1000;
  return {
    ...goodRun(start, { tasks, iterations: operations / tasks, averageMs: elapsedMs }),
    start,
    operations,
    opsPerSecond: perSecond,
  };
}
