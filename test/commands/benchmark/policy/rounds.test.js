import assert from 'node:assert/strict';
import { interleavedSets, nextStart, statesOf } from '../../../../src/commands/benchmark/policy/starts.js';
import { MEASURING } from '../../../../src/method.js';
import { createOrders } from '../../../../src/run/independent-runs.js';
import { startsOf } from '../../../../src/run/plan/plan.js';
import { timeOf } from '../../../../src/run/run-plan.js';
import { startsIn } from '../../../helpers/races.js';

const CELLS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe('commands/benchmark/policy/rounds', () => {
  it('has as many rounds as asked for, each with every cell once', () => {
    const rounds = createOrders(CELLS, 20, 1);
    assert.equal(rounds.length, 20);
    for (const round of rounds) assert.deepEqual([...round].sort(), CELLS);
  });

  it('has the same order for the same seed', () => {
    assert.deepEqual(createOrders(CELLS, 5, 42), createOrders(CELLS, 5, 42));
  });

  it('has another order for another seed', () => {
    assert.notDeepEqual(createOrders(CELLS, 5, 42), createOrders(CELLS, 5, 43));
  });

  it('has not the same order in each round', () => {
    const rounds = createOrders(CELLS, 10, 7).map((round) => round.join(''));
    assert.ok(new Set(rounds).size > 1);
  });

  it('has each cell in each place sooner or later', () => {
    const rounds = createOrders(CELLS, 200, 3);
    for (const place of CELLS.keys()) {
      assert.equal(new Set(rounds.map((round) => round[place])).size, CELLS.length);
    }
  });

  it('does not change what it is given', () => {
    const given = Object.freeze([...CELLS]);
    createOrders(given, 3, 5);
    assert.deepEqual(given, CELLS);
  });

  it('copes with one cell, no cell and no round', () => {
    assert.deepEqual(createOrders(['a'], 2, 1), [['a'], ['a']]);
    assert.deepEqual(createOrders([], 2, 1), [[], []]);
    assert.deepEqual(createOrders(CELLS, 0, 1), []);
  });
});

/** @param {number} count @param {object} [of] */
const cells = (count, of) =>
  Array.from({ length: count }, () => /** @type {any} */ ({ openLoop: null, version: null, ...of }));

/** @param {object} [given] */
const settings = (given) =>
  /** @type {any} */ ({ starts: 'auto', runs: 3, races: true, smoke: false, ...given });

describe('the time of a group', () => {
  const settings = /** @type {any} */ ({ budgetMs: 10_000 + MEASURING.endingMs });

  it('is its share of what is left of the budget, without the ending', () => {
    let nowMs = 2000;
    const leftMs = timeOf(1, 2, true, settings, () => nowMs);
    assert.equal(leftMs(), 4000);
    nowMs = 5000;
    assert.equal(leftMs(), 1000);
    assert.equal(timeOf(1, 1, false, settings, () => 9000)(), 1000);
    assert.equal(timeOf(2, 4, false, settings, () => 2000)(), 4000);
  });
});

describe('the runs of a start', () => {
  const text = (/** @type {boolean[]} */ states) => states.map((isAwake) => (isAwake ? 'w' : '.')).join('');

  it('are a sixth more with processors kept awake, neither state always first', () => {
    const both = [false, true];
    assert.deepEqual(
      [1, 2, 3, 6].map((runs) => text(statesOf(runs, both))),
      ['.w', '.w.', '..w.', '...w...'],
    );
    assert.equal(text(statesOf(12, both)).split('w').length - 1, 2);
    assert.equal(text(statesOf(1, both, 2)), 'w.');
    assert.equal(text(statesOf(4, [true])), 'wwww');
  });

  it('are few of what is far behind in the first start of a race, and none with processors kept awake', () => {
    const cells = [10, 6, 4, 1].map((perMs) => ({ perMs }));
    const states = statesOf(6, [false, true]);
    const taking = (/** @type {any} */ start) =>
      interleavedSets(cells, states, start).map((sets) => sets.flat().length);
    assert.deepEqual(taking({ planned: 'race', starts: 1 }), [4, 4, 3, 2, 2, 2, 2]);
    assert.deepEqual(taking({ planned: 'race', starts: 2 }), [4, 4, 4, 4, 4, 4, 4]);
    assert.deepEqual(taking({ planned: [6], starts: 1 }), [4, 4, 4, 4, 4, 4, 4]);
    const [first] = interleavedSets(cells, states, { planned: 'race', starts: 1 });
    assert.deepEqual(first, [cells.slice(0, 2), cells.slice(2)]);
  });
});

describe('commands/benchmark/policy/rounds: starts', () => {
  /** @param {(string | null)[][]} all what failed of the runs of each */
  const racersOf = (all) =>
    all.map((own) => /** @type {any} */ ({ runs: own.map((failed) => ({ failed })) }));

  it('end when no cell is left that has not failed', () => {
    for (const planned of /** @type {('race' | number[])[]} */ ([[3, 3], 'race']))
      for (const all of [[['crashed']], [[], ['crashed']], [[]], [[null, 'crashed']]])
        assert.equal(
          [...startsIn(nextStart, racersOf(all), () => 1000, { planned })].length,
          1,
          JSON.stringify(all),
        );
  });

  it('of which there is no time for another end with the last, but there is one however late it is', () => {
    const takenIn = (/** @type {number} */ leftMs) => {
      const taken = [];
      const planned = [3, 3, 3, 3];
      for (const start of startsIn(nextStart, racersOf([[null]]), () => leftMs, { planned })) {
        taken.push(start);
        leftMs -= 2000;
      }
      return taken.length;
    };
    assert.deepEqual([5000, 1000, -100].map(takenIn), [2, 1, 1]);
  });

  it('cells of a closed loop race', () => assert.equal(startsOf(settings(), cells(2)), 'race'));

  it('releases, and a cell that is alone, are started four times', () => {
    assert.deepEqual(startsOf(settings(), cells(3, { version: '6.0.0' })), [3, 3, 3, 3]);
    assert.deepEqual(startsOf(settings(), cells(1)), [3, 3, 3, 3]);
  });

  it('divides the runs that the user asks for among up to four starts, each at least one', () => {
    const runsOf = (/** @type {object} */ given) => startsOf(settings({ races: false, ...given }), cells(3));
    assert.deepEqual(runsOf({ runs: 1 }), [1]);
    assert.deepEqual(runsOf({ runs: 3 }), [1, 1, 1]);
    assert.deepEqual(runsOf({ runs: 10 }), [2, 3, 2, 3]);
    assert.deepEqual(runsOf({ runs: 5, starts: 2 }), [2, 3]);
  });

  it('is one for a smoke run, a search, and an open loop unless the user asks for more', () => {
    assert.deepEqual(startsOf(settings({ smoke: true, races: false }), cells(2)), [3]);
    const load = { openLoop: { ratePerSecond: 100 } };
    const search = { openLoop: { ratePerSecond: 100, search: {} } };
    assert.deepEqual(startsOf(settings({ runs: 5, races: false }), cells(2, load)), [5]);
    assert.deepEqual(startsOf(settings({ runs: 4, starts: 2, races: false }), cells(2, load)), [2, 2]);
    assert.deepEqual(startsOf(settings({ runs: 4, starts: 2, races: false }), cells(2, search)), [4]);
  });
});
