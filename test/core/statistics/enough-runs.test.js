import assert from 'node:assert/strict';
import { contrastFamily } from '../../../src/core/statistics/contrasts.js';
import { apartInEveryRun, enoughRuns } from '../../../src/core/statistics/enough-runs.js';

/** @import { Sample } from '../../../src/benchmark/judge/types.js' */

/** @param {number[]} values */
const sample = (values) => values.map((value, round) => ({ value, round }));

/** Runs that go on varying as three of them do. @param {number[]} three @param {number} runs */
function more(three, runs) {
  const logs = three.map(Math.log);
  const middle = logs.reduce((sum, log) => sum + log, 0) / 3;
  const variance = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / 2;
  const places = Array.from({ length: runs }, (_, index) => index - (runs - 1) / 2);
  const own = places.reduce((sum, place) => sum + place ** 2, 0) / (runs - 1);
  return sample(places.map((place) => Math.exp(middle + place * Math.sqrt(variance / own))));
}

const [LOW, HIGH] = [
  [1, 40, 6],
  [150, 151, 152],
];

describe('statistics/enough-runs', () => {
  it('with as many runs as it says the test carries the difference, and with one less it does not', () => {
    const enough = Number(enoughRuns(sample(LOW), sample(HIGH), 1));
    const differs = (/** @type {number} */ runs) => {
      const [low, high] = [more(LOW, runs), more(HIGH, runs)];
      return contrastFamily([{ pairs: [[low, high]], inRounds: false }])[0].between(low, high)?.differs;
    };
    assert.ok(enough > 3, String(enough));
    assert.deepEqual([differs(enough - 1), differs(enough)], [false, true]);
  });

  it('more comparisons ask for more runs, and samples that overlap for more than anyone makes', () => {
    const [one, many] = [1, 40].map((comparisons) =>
      Number(enoughRuns(sample(LOW), sample(HIGH), comparisons)),
    );
    assert.ok(many > one, `${one} ${many}`);
    assert.equal(enoughRuns(sample([1, 9, 3]), sample([2, 3, 8]), 1), null);
  });

  it('runs are apart where none of one comes near to any of the other', () => {
    assert.equal(apartInEveryRun(sample([1, 2, 3]), sample([7, 8, 9])), true);
    assert.equal(apartInEveryRun(sample([7, 8, 9]), sample([1, 2, 3])), true);
    assert.equal(apartInEveryRun(sample([1, 2, 4]), sample([7, 8, 9])), false);
    assert.equal(apartInEveryRun(sample([1, 2]), sample([8, 9])), false);
    assert.equal(apartInEveryRun(sample([1, 2]), sample([80, 90])), true);
    assert.equal(apartInEveryRun(sample([1]), sample([80])), false);
    assert.equal(apartInEveryRun(sample([0, 0, 1]), sample([80, 81, 82])), false);
  });
});
