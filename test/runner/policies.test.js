import assert from 'node:assert/strict';
import { highestRate, rounds } from '../../src/runner/policies.js';

/** @import { CellRunner } from '../../src/runner/run-cell.js' */

/** @param {string} id @returns {CellRunner} one that is only named by its rounds */
const runnerOf = (id) => {
  const moveTo = (/** @type {number} */ rate) => ({ id: `${id} at ${rate}` });
  return /** @type {any} */ ({ cell: { id }, moveTo });
};
const good = (/** @type {object} */ more = {}) => /** @type {any} */ ({ failed: null, ...more });

/** @param {object} settings */
function contextOf(settings) {
  /** @type {any[]} */
  const events = [];
  const context = /** @type {any} */ ({ settings, onEvent: (/** @type {any} */ each) => events.push(each) });
  return { context, events };
}

describe('runner/policies', () => {
  it('rounds: every cell in each, an order for each slice, and what failed counts no more', () => {
    const { context, events } = contextOf({ runs: 3, seed: 1 });
    const [a, b] = [runnerOf('a'), runnerOf('b')];
    const going = new Map([a, b].map((runner) => [runner, /** @type {any[]} */ ([])]));
    const policy = rounds(going, [a, b], { start: 1, first: 1, last: 3, isLast: true }, 4, context);
    const asked = [];
    for (let next = policy.next(); !next.done; next = policy.next([good(), undefined]))
      asked.push(next.value);
    assert.deepEqual(
      asked.map(({ run, isFirst }) => [run, isFirst]),
      [
        [1, true],
        [2, false],
        [3, false],
      ],
    );
    for (const { orders } of asked) {
      assert.equal(orders.length, 4);
      for (const order of orders) assert.deepEqual(new Set(order), new Set([a, b]));
    }
    assert.deepEqual([...going], [[a, [good(), good(), good()]]]);
    assert.deepEqual(
      events.map(({ type, round }) => [type, round]),
      [1, 2, 3].map((run) => ['round-end', run]),
    );
  });

  it('the highest rate: each until two runs agree, and ended by a run that failed', () => {
    const { context, events } = contextOf({ rateSearch: [100, 400] });
    const policy = highestRate(runnerOf('a'), context);
    policy.next();
    for (const held of [true, false, true]) policy.next([good({ openLoop: { held } })]);
    assert.deepEqual(
      events.map(({ type, cell, held, runs }) => [type, cell.id, held, runs.length]),
      [['step', 'a at 100', true, 3]],
    );
    assert.equal(policy.next([good({ failed: 'wrong replies', openLoop: { held: false } })]).done, true);
  });
});
