import { createRandom } from './random.js';
import { createFixture, goodRun } from './report-fixture.js';

/** @import { Cell } from '../../src/run/plan/types.js' */
/** @import { Run } from '../../src/store/types.js' */

/** CPU time of an operation, in µs. */
const CPU_US = { 'redis:tuned': 3, 'redis:default': 15, 'ioredis:default': 8 };

/**
 * Operations a second of an invented client: bound by its CPU, or by round trips and what is in flight.
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

const OPTIONS = {
  clients: 'redis:tuned,ioredis,redis',
  scenarios: 'shared-connection,pool,open-and-close',
  poolSize: 10,
  tasks: '1,8,64',
  rtt: '0,2ms',
  runs: 4,
  starts: 4,
};

/**
 * The report of a benchmark of invented clients under several conditions.
 *
 * @param {Record<string, unknown>} [given] options
 * @param {object} [facts]
 * @param {number} [facts.luck] how much starts differ
 * @param {(cell: Cell) => number} [facts.speedOf]
 * @param {(cell: Cell) => boolean} [facts.isRun]
 */
export function conditionsReport(
  given = {},
  { luck = 0.01, speedOf = inventedSpeed, isRun = () => true } = {},
) {
  const random = createRandom(7);
  return createFixture({
    given: { seed: 42, ...OPTIONS, ...given },
    measured: (cell) =>
      isRun(cell)
        ? {
            iterations: null,
            runs: Array.from({ length: Number(given.runs ?? OPTIONS.runs) }, (_, index) =>
              runOf(cell, index + 1, speedOf(cell) * Math.exp(luck * random.normal())),
            ),
          }
        : null,
  });
}

const RUN_MS = 120;

/** @param {Cell} cell @param {number} start @param {number} perSecond @returns {Run} the only one of its start */
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
