import assert from 'node:assert/strict';
import { ratioText } from '../../src/report/figures.js';
import { contrastAll, verdictOf } from '../../src/statistics/contrasts.js';
import { behindBest } from '../../src/statistics/enough-runs.js';
import { createRandom } from '../helpers/random.js';

/** @param {number[]} values */
const sample = (...values) => values.map((value, index) => ({ value, round: index + 1, start: index + 1 }));

/** @param {number[][]} samples @returns {string[]} */
const textsOf = (...samples) => behindBest(samples).map((each) => ratioText({ ...each, ...each.interval }));

const STEADY = [100, 101, 99, 100, 102, 98];

describe('what a comparison came to', () => {
  for (const [what, own, other, verdict] of /** @type {[string, number[], number[], string][]} */ ([
    ['faster', [202, 198, 201, 199, 200, 203], STEADY, 'faster'],
    ['slower', STEADY, [202, 198, 201, 199, 200, 203], 'slower'],
    ['tied where the whole interval is too little to matter', STEADY, [100, 99, 101, 100, 98, 101], 'tied'],
    ['not decided where it is not', [40, 300, 80, 200, 120, 90], STEADY, 'not decided'],
    ['not measured with one start', [150], STEADY, 'not measured'],
    ['not measured without any', [], STEADY, 'not measured'],
  ]))
    it(`is ${what}`, () => {
      const { between } = contrastAll([sample(...own), sample(...other)]);
      assert.equal(verdictOf(between(0, 1)), verdict);
    });

  it('is a tie of cells that differ by 15 % in 5 % of trials at most', () => {
    const { uniform: random } = createRandom(7);
    let ties = 0;
    const scattered = (/** @type {number} */ middle, /** @type {number} */ by, /** @type {number} */ count) =>
      Array.from({ length: count }, () => middle * Math.exp(by * (random() - 0.5)));
    for (let trial = 0; trial < 500; trial++) {
      const [by, count] = [random(), Math.floor(2 + 6 * random())];
      const samples = [scattered(100, by, count), scattered(115, by, count)];
      const { between } = contrastAll(samples.map((values) => sample(...values)));
      ties += Number(verdictOf(between(0, 1)) === 'tied');
    }
    assert.ok(ties <= 25, `${ties} of 500`);
  });
});

describe('how far each is behind the best, where runs are few', () => {
  it('is a ratio, a tie, or open', () => {
    assert.deepEqual(
      textsOf(
        STEADY,
        STEADY.map((ms) => 2 * ms),
      ),
      ['best', '2.00x (1.96–2.04)'],
    );
    assert.deepEqual(textsOf(STEADY, STEADY.toReversed()), ['best', '≈ 1.00x (0.98–1.02)']);
    assert.deepEqual(textsOf([100, 130, 75], [101, 72, 140]), ['best', '1.01x? (0.50–2.0)']);
    assert.deepEqual(textsOf([100, 900], [101, 20]), ['not decided', 'best']);
  });

  it('is not known of a single run, nor is the best of single runs', () => {
    assert.deepEqual(textsOf(STEADY, [101]), ['not compared', 'not compared']);
    assert.deepEqual(
      textsOf(
        STEADY,
        [150],
        STEADY.map((ms) => 2 * ms),
      ),
      ['best', 'not compared', '2.00x (1.96–2.04)'],
    );
    assert.deepEqual(textsOf([100], [150]), ['not compared', 'not compared']);
    assert.deepEqual(textsOf(STEADY), ['best']);
    assert.equal(behindBest([[], []])[0].verdict, 'not measured');
  });
});
