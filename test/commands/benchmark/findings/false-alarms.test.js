import assert from 'node:assert/strict';
import { contrastAll } from '../../../../src/statistics/contrasts.js';
import { NIGHTLY } from '../../../helpers/nightly.js';
import { createRandom } from '../../../helpers/random.js';

const TRIALS = NIGHTLY ? 500 : 200;

/**
 * Noise as benchmarks have it: factors on the operations a second.
 *
 * @type {Record<string, (random: ReturnType<typeof createRandom>) => number>}
 */
const NOISES = {
  'log-normal, 3 %': ({ normal }) => Math.exp(0.03 * normal()),
  // A run is disturbed by a little in most cases, by much in a few, and never made faster.
  'skewed, disturbed runs': ({ normal }) => 1 / (1 + 0.05 * Math.exp(normal())),
  "heavy tails (Student's t, 3 degrees)": ({ normal }) =>
    Math.exp((0.02 * normal()) / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3)),
  'a tenth of the runs up to 40 % slower': ({ normal, uniform }) =>
    Math.exp(0.02 * normal()) * (uniform() < 0.1 ? 1 - 0.4 * uniform() : 1),
};

/**
 * How many groups of cells, one of them perhaps faster, have any difference claimed.
 *
 * @param {{cells: number, starts: number, runs: number, luck: number[], noise: string, faster?: number, drift?: number, trials?: number}} group
 *   `luck`: how much starts of each kind of cell differ, the kinds take turns; `drift`: how much a start moves all cells
 * @returns {number} share of the trials in which the last cell (or, without a difference, any) is claimed to differ
 */
function claims({ cells, starts, runs, luck, noise, faster = 1, drift = 0, trials }) {
  const random = createRandom(cells * 1000 + starts);
  // Pairs grow with the square of the cells.
  const count = trials ?? (cells > 4 ? TRIALS / 4 : TRIALS);
  let claimed = 0;
  for (let trial = 0; trial < count; trial++) {
    const machine = Array.from({ length: starts }, () => Math.exp(drift * random.normal()));
    const samples = Array.from({ length: cells }, (_, cell) =>
      Array.from({ length: starts }, (_, index) => {
        const ofStart = machine[index] * Math.exp(luck[cell % luck.length] * random.normal());
        return Array.from({ length: runs }, (_, run) => ({
          value: 1e5 * ofStart * NOISES[noise](random) * (cell === cells - 1 ? faster : 1),
          round: index * runs + run + 1,
          start: index + 1,
        }));
      }).flat(),
    );
    const { between } = contrastAll(samples);
    const pairs = samples.flatMap((_, b) =>
      Array.from({ length: b }, (_, a) => between(a, b)?.differs && (faster === 1 || b === cells - 1)),
    );
    if (pairs.some(Boolean)) claimed++;
  }
  return claimed / count;
}

describe('findings: false alarms and power, by simulation', function () {
  this.timeout(600_000);
  for (const [index, [cells, starts, runs, luck]] of /** @type {[number, number, number, number[]][]} */ ([
    [12, 2, 2, [0.03]],
    [4, 5, 1, [0.03]],
    [2, 5, 1, [0.03]],
    [8, 3, 2, [0]],
    [4, 5, 1, [0.01, 0.03]],
  ]).entries()) {
    const differ = luck.map((each) => `${each * 100} %`).join(' or ');
    // By day each of them with one noise.
    for (const noise of Object.keys(NOISES).filter((_, place) => NIGHTLY || place === index % 4)) {
      it(`${cells} equal cells of ${starts} starts that differ by ${differ}, ${noise}: at most 5 % of the groups claim anything`, () => {
        const alarms = claims({ cells, starts, runs, luck, noise });
        assert.ok(alarms <= 0.05, `${alarms * 100} %`);
      });
    }
  }

  it('starts that drift by 30 % make no false alarms', () => {
    const group = { cells: 4, starts: 5, runs: 1, luck: [0.01], drift: 0.3 };
    // More, because it comes near to 5 %.
    const alarms = claims({ ...group, noise: 'log-normal, 3 %', trials: 1000 });
    assert.ok(alarms <= 0.05, `${alarms * 100} %`);
  });

  for (const [cells, starts, faster] of [
    [2, 5, 1.1],
    [4, 5, 1.1],
    [12, 2, 1.2],
  ]) {
    it(`a cell that is ${Math.round((faster - 1) * 100)} % faster than ${cells - 1} others, ${starts} starts that differ by 1.5 %: the power`, function () {
      const noise = 'log-normal, 3 %';
      const power = claims({ cells, starts, runs: 2, luck: [0.015], noise, faster });
      /** @type {Mocha.Runnable} */ (this.test).title += ` is ${(power * 100).toFixed(0)} %`;
      assert.ok(power > 0.5, `${power}`);
    });
  }
});
