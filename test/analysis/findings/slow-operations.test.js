import assert from 'node:assert/strict';
import { waitsIn } from '../../../src/analysis/findings/slow-operations.js';
import { createRandom } from '../../helpers/random.js';

/** Ten operations of 10 to 19 ms. @param {Record<string, number>} metBy how many met each of these, for most of their time */
const operationsOf = (metBy) =>
  Array.from({ length: 10 }, (_, index) => ({
    ms: 10 + index,
    during: Object.entries(metBy).flatMap(([what, count]) =>
      index < count ? { what, fromMs: 0, ms: 9 + index } : [],
    ),
  }));

/** @param {Record<string, number>} metBy @param {Record<string, number>} shares of a second that they took in pieces of 16 ms */
const waitsOf = (metBy, shares) =>
  waitsIn(
    {
      watchedMs: 1000,
      operations: operationsOf(metBy),
      covered: Object.fromEntries(
        Object.entries(shares).map(([what, share]) => [what, { 16: 1000 * share }]),
      ),
    },
    0.01,
  );

describe('what slow operations waited for', () => {
  it('is named where they met it far more often than its share of the time explains', () => {
    assert.deepEqual(waitsOf({ garbage: 8 }, { garbage: 0.02 }), [{ what: 'garbage', count: 8 }]);
    assert.deepEqual(waitsOf({ garbage: 8 }, { garbage: 0.6 }), []);
    assert.deepEqual(waitsOf({ garbage: 2 }, { garbage: 0.001 }), []);
  });

  it('is named once, by what is most specific', () => {
    const both = waitsOf({ garbage: 6, busy: 10 }, { garbage: 0.02, busy: 0.1 });
    assert.deepEqual(both, [
      { what: 'garbage', count: 6 },
      { what: 'busy', count: 4 },
    ]);
    assert.deepEqual(waitsOf({ garbage: 9, busy: 10 }, { garbage: 0.02, busy: 0.1 }), [
      { what: 'garbage', count: 9 },
    ]);
  });

  it('takes what is shorter than half of an operation neither for a cause nor for a coincidence', () => {
    const operations = operationsOf({}).map(({ ms }) => ({
      ms,
      during: [{ what: 'cpu', fromMs: 0, ms: 3 }],
    }));
    assert.deepEqual(waitsIn({ watchedMs: 1000, operations, covered: { cpu: { 4: 30 } } }, 0.01), []);
    const met = operationsOf({ cpu: 8 });
    const covered = { cpu: { 4: 900, 16: 20 } };
    assert.deepEqual(waitsIn({ watchedMs: 1000, operations: met, covered }, 0.01), [
      { what: 'cpu', count: 8 },
    ]);
  });

  it('is not named where it came at random, but for one time in a hundred', () => {
    const { uniform } = createRandom(7);
    let named = 0;
    const [watchedMs, times, length] = [1000, 1000, 12];
    for (let time = 0; time < times; time++) {
      // Every 60 ms something takes 12: a fifth of the time.
      const operations = Array.from({ length: 10 }, () => {
        const ms = 10 + 10 * uniform();
        const begin = 60 * uniform();
        const met = [0, 60, 120].map((at) => Math.min(begin + ms, at + length) - Math.max(begin, at));
        return { ms, during: [{ what: 'busy', fromMs: 0, ms: Math.max(0, ...met) }] };
      });
      named += waitsIn({ watchedMs, operations, covered: { busy: { 16: 200 } } }, 0.01).length;
    }
    assert.ok(named <= 20, `${named} of ${times}`);
  });
});
