import assert from 'node:assert/strict';
import { contrastGroups } from '../../../src/analysis/findings/compare-group.js';
import { createRandom } from '../../helpers/random.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

/**
 * @import { CellResult, Run, Slice } from '../../../src/results/types.js'
 */

const TRIALS = 200;
const SLICES = 7;
const OPERATIONS = 2400;
const STARTS = 5;

/**
 * A run beside other programs: what they take of the time differs from slice to slice, and falls on some cells more
 * than on others throughout.
 *
 * @param {{random: ReturnType<typeof createRandom>, round: number, machine: number, unfair: number, cpuUs: number, waitUs?: number}} facts
 *   of an operation; `unfair` is how much more often than on average this cell is disturbed
 * @returns {Run}
 */
function disturbedRun({ random, round, machine, unfair, cpuUs, waitUs = 4 }) {
  const { normal } = random;
  const slices = Array.from({ length: SLICES }, () => {
    const cpu = cpuUs * machine * Math.exp(0.03 * normal()) * OPERATIONS;
    const own = waitUs * machine * Math.exp(0.05 * normal()) * OPERATIONS;
    const waitedMs = ((cpu + own) / 1000) * 0.6 * unfair * Math.exp(0.4 * normal());
    const elapsedMs = (cpu + own) / 1000 + waitedMs;
    /** @type {Slice} */
    const slice = {
      elapsedMs,
      operations: OPERATIONS,
      cpuUs: cpu,
      // Not all of it is seen.
      waitedMs: waitedMs * (0.9 + 0.05 * normal()),
      serverWaitedMs: 0,
      stolenMs: 0,
      disturbed: waitedMs > 0.1 * elapsedMs,
      repeats: 0,
    };
    return slice;
  });
  const total = (/** @type {'elapsedMs' | 'cpuUs'} */ name) =>
    slices.reduce((sum, each) => sum + each[name], 0);
  const operations = SLICES * OPERATIONS;
  const run = goodRun(round, { tasks: 8, iterations: operations / 8, averageMs: total('elapsedMs') });
  const client = { .../** @type {any} */ (run.client), cpuUsPerOp: total('cpuUs') / operations };
  return { ...run, start: round, client, slices };
}

/**
 * @param {{cells: number, slowerCpu?: number, slowerWait?: number}} options how many times as much the last cell takes
 * @returns {Promise<{claimed: number, byTime: number}>} shares of the benchmarks in which the last cell (or, where all
 *   are equal, any) is claimed to differ, and in which the time alone would have had it claimed
 */
async function claims({ cells, slowerCpu = 1, slowerWait = 1 }) {
  const clients = Array.from({ length: cells }, () => 'redis').join(',');
  const report = await createFixture({
    given: { clients, scenarios: 'shared-connection', runs: STARTS },
    measured: ({ tasks }) => ({
      iterations: 1000,
      runs: [goodRun(1, { tasks, iterations: 1000, averageMs: 100 })],
    }),
  });
  const random = createRandom(cells);
  const equal = slowerCpu === 1 && slowerWait === 1;
  const found = { claimed: 0, byTime: 0 };
  for (let trial = 0; trial < TRIALS; trial++) {
    const machines = Array.from({ length: STARTS }, () => Math.exp(0.15 * random.normal()));
    const measured = report.cells.map((cell, index) => {
      const unfair = Math.exp(0.3 * random.normal());
      const isLast = index === cells - 1;
      const runs = machines.map((machine, start) =>
        disturbedRun({
          random,
          round: start + 1,
          machine,
          unfair,
          cpuUs: 5 * (isLast ? slowerCpu : 1),
          waitUs: 4 * (isLast ? slowerWait : 1),
        }),
      );
      return withRuns(cell, runs);
    });
    const [{ between }] = contrastGroups([measured]);
    const contrasts = measured.flatMap((b, later) =>
      measured
        .slice(0, later)
        .flatMap((a) => (equal || later === cells - 1 ? (between(a.id, b.id) ?? []) : [])),
    );
    if (contrasts.some(({ differs }) => differs)) found.claimed++;
    if (contrasts.some(({ differs, notBorneOut }) => differs || notBorneOut)) found.byTime++;
  }
  return { claimed: found.claimed / TRIALS, byTime: found.byTime / TRIALS };
}

/** @param {CellResult} cell @param {Run[]} runs @returns {CellResult} */
const withRuns = (cell, runs) => ({ ...cell, runs });

describe('findings: beside other programs that fall on some cells more than on others, by simulation', function () {
  this.timeout(60_000);
  for (const cells of [2, 4]) {
    it(`${cells} equal cells: the time alone claims a difference in most, all that is measured in at most 5 %`, async () => {
      const { claimed, byTime } = await claims({ cells });
      assert.ok(byTime > 0.3, `${byTime}`);
      assert.ok(claimed <= 0.05, `${claimed}`);
    });
  }

  for (const [what, slower] of /** @type {const} */ ([
    ['1.5 times the CPU', { slowerCpu: 1.5 }],
    ['twice the CPU', { slowerCpu: 2 }],
    ['three times as long a wait of its own', { slowerWait: 3 }],
  ])) {
    it(`a cell that takes ${what}: nearly all that the time claims is claimed`, async () => {
      const { claimed, byTime } = await claims({ cells: 2, ...slower });
      assert.ok(byTime > 0.5, `${byTime}`);
      assert.ok(claimed >= 0.95 * byTime, `${claimed} of ${byTime}`);
    });
  }
});
