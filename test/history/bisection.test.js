import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bisection } from '../../src/history/bisection.js';

/**
 * Searches among releases whose figures are known.
 *
 * @param {number[]} figures by release
 * @param {number[]} [broken] releases that cannot be measured
 */
function search(figures, broken = []) {
  const asked = [];
  const generator = bisection(figures.length);
  let next = generator.next();
  while (!next.done) {
    const { low, middle, high } = next.value;
    asked.push(middle);
    const answer = answerOf(figures[low], figures[middle], figures[high]);
    next = generator.next(broken.includes(middle) ? 'broken' : answer);
  }
  return { steps: next.value.map(({ before, after }) => [before, after]), asked };
}

/** @param {number} low @param {number} middle @param {number} high */
function answerOf(low, middle, high) {
  if (middle === low) return 'low';
  return middle === high ? 'high' : 'between';
}

/** @param {number} count @param {number} first the first release after the change */
const oneStep = (count, first) => Array.from({ length: count }, (_, index) => (index < first ? 1 : 6));

describe('plan/bisection', () => {
  it('two releases are the step themselves, and nothing is asked', () => {
    assert.deepEqual(search([1, 6]), { steps: [[0, 1]], asked: [] });
  });

  it('finds the one step, wherever it is, with as many questions as halving takes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.nat(), (count, place) => {
        const first = 1 + (place % (count - 1));
        const { steps, asked } = search(oneStep(count, first));
        assert.deepEqual(steps, [[first - 1, first]]);
        assert.ok(asked.length <= Math.ceil(Math.log2(count - 1)), `${asked.length} of ${count}`);
        assert.equal(new Set(asked).size, asked.length);
      }),
    );
  });

  it('finds every step of several, in order', () => {
    assert.deepEqual(search([1, 1, 1, 3, 3, 3, 3, 9, 9, 9]).steps, [
      [2, 3],
      [6, 7],
    ]);
    assert.deepEqual(search([1, 2, 3, 4]).steps, [
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('steps over what cannot be measured, and still finds the step between its neighbours', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 60 }),
        fc.nat(),
        fc.array(fc.nat(), { maxLength: 20 }),
        (count, place, places) => {
          const first = 1 + (place % (count - 1));
          const broken = places.map((each) => each % count).filter((each) => each > 0 && each < count - 1);
          const { steps, asked } = search(oneStep(count, first), broken);
          const good = Array.from({ length: count }, (_, index) => index).filter(
            (index) => !broken.includes(index),
          );
          const before = Math.max(...good.filter((index) => index < first));
          const after = Math.min(...good.filter((index) => index >= first));
          assert.deepEqual(steps, [[before, after]]);
          assert.equal(new Set(asked).size, asked.length);
        },
      ),
    );
  });
});
