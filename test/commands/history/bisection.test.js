import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bisection, endsOf, sideOf } from '../../../src/commands/history/bisect.js';

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

describe('commands/history/bisection', () => {
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

/** @param {number} middle @param {number} [noise] part of it @param {number} [runs] */
const sample = (middle, noise = 0.02, runs = 8) =>
  Array.from({ length: runs }, (_, index) => ({
    round: index + 1,
    start: index + 1,
    // The same spread for all, but not the same rounds.
    value: middle * (1 + noise * (((index * 5 + Math.round(middle * 7)) % runs) / (runs - 1) - 0.5)),
  }));

/** @param {number} low @param {number} release @param {number} high @param {number} [noise] */
const verdict = (low, release, high, noise) => {
  const side = sideOf([sample(low, noise), sample(release, noise), sample(high, noise)]);
  return [side?.side, side?.sure];
};

describe('commands/history/bisection: side', () => {
  it('a release is on the side whose figures it has', () => {
    assert.deepEqual(verdict(2, 2.01, 12), ['low', true]);
    assert.deepEqual(verdict(2, 11.9, 12), ['high', true]);
    assert.deepEqual(verdict(12, 11.9, 2), ['low', true]);
  });
  it('a small difference that the statistics see does not make a side of its own', () => {
    const side = sideOf([sample(2), sample(2.3), sample(12)]);
    assert.ok(side?.toLow?.differs);
    assert.deepEqual([side?.side, side?.sure], ['low', true]);
  });
  it('a release that is clearly like neither lies between', () => {
    assert.deepEqual(verdict(2, 5, 12), ['between', true]);
  });
  it('where noise hides the difference, it is the nearer side and not sure', () => {
    assert.deepEqual(verdict(2, 2.1, 2.4, 1), ['low', false]);
    assert.deepEqual(verdict(2, 2.3, 2.4, 1), ['high', false]);
  });
  it('tells the medians that it was decided by', () => {
    const { low, release, high } = sideOf([sample(2), sample(5), sample(12)])?.medians ?? {};
    assert.deepEqual(
      [low, release, high].map((value) => Math.round(Number(value))),
      [2, 5, 12],
    );
  });
  it('says nothing about what was not started again', () => {
    assert.equal(sideOf([sample(2), [], sample(12)]), null);
    assert.equal(endsOf([sample(2), []]), null);
    const ofOneStart = [sample(2), sample(12)].map((all) => all.map((each) => ({ ...each, start: 1 })));
    assert.equal(endsOf(ofOneStart), null);
  });
  it('the ends differ or do not', () => {
    assert.equal(endsOf([sample(2), sample(12)])?.contrast.differs, true);
    assert.equal(endsOf([sample(2, 0.5), sample(2.1, 0.5)])?.contrast.differs, false);
    assert.ok(Math.abs(Number(endsOf([sample(2), sample(12)])?.contrast.ratio) - 6) < 0.1);
  });
});
