import assert from 'node:assert/strict';
import { createRounds, startsOf } from '../../src/plan/rounds.js';
import { withRunTime } from '../../src/plan/run-length.js';

const CELLS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe('plan/rounds', () => {
  it('has as many rounds as asked for, each with every cell once', () => {
    const rounds = createRounds(CELLS, 20, 1);
    assert.equal(rounds.length, 20);
    for (const round of rounds) assert.deepEqual([...round].sort(), CELLS);
  });

  it('has the same order for the same seed', () => {
    assert.deepEqual(createRounds(CELLS, 5, 42), createRounds(CELLS, 5, 42));
  });

  it('has another order for another seed', () => {
    assert.notDeepEqual(createRounds(CELLS, 5, 42), createRounds(CELLS, 5, 43));
  });

  it('has not the same order in each round', () => {
    const rounds = createRounds(CELLS, 10, 7).map((round) => round.join(''));
    assert.ok(new Set(rounds).size > 1);
  });

  it('has each cell in each place sooner or later', () => {
    const rounds = createRounds(CELLS, 200, 3);
    for (const place of CELLS.keys()) {
      assert.equal(new Set(rounds.map((round) => round[place])).size, CELLS.length);
    }
  });

  it('does not change what it is given', () => {
    const given = Object.freeze([...CELLS]);
    createRounds(given, 3, 5);
    assert.deepEqual(given, CELLS);
  });

  it('copes with one cell, no cell and no round', () => {
    assert.deepEqual(createRounds(['a'], 2, 1), [['a'], ['a']]);
    assert.deepEqual(createRounds([], 2, 1), [[], []]);
    assert.deepEqual(createRounds(CELLS, 0, 1), []);
  });
});

/** @param {number} count @param {object} [of] */
const cells = (count, of) =>
  Array.from({ length: count }, () => /** @type {any} */ ({ openLoop: null, ...of }));

/** @param {object} [given] */
const settings = (given) =>
  /** @type {any} */ ({ starts: 'auto', runs: 5, maxRuns: 30, smoke: false, runTimeMs: 0, ...given });

describe('plan/starts', () => {
  it('divides all runs among the starts, each at least one', () => {
    for (let runs = 1; runs <= 12; runs++) {
      for (let count = 1; count <= runs; count++) {
        const starts = startsOf(settings({ runs, starts: count }), cells(3));
        assert.equal(starts.length, count);
        assert.deepEqual(
          starts.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
          Array.from({ length: runs }, (_, i) => i + 1),
        );
      }
    }
  });

  it('has more starts the fewer cells there are, but never more than runs', () => {
    const counts = [2, 4, 8, 12, 100].map((count) => startsOf(settings(), cells(count)).length);
    assert.deepEqual(counts, [5, 5, 3, 2, 2]);
    assert.equal(startsOf(settings({ runs: 1 }), cells(2)).length, 1);
  });

  it('leaves rounds that are added until all is stable to the last start', () => {
    const starts = startsOf(settings({ untilStable: 2 }), cells(12));
    assert.deepEqual(
      starts.map(({ first, last }) => [first, last]),
      [
        [1, 2],
        [3, 30],
      ],
    );
  });

  it('is one for a smoke run, an open loop and a search', () => {
    assert.equal(startsOf(settings({ smoke: true }), cells(2)).length, 1);
    assert.equal(startsOf(settings(), cells(2, { openLoop: { ratePerSecond: 100 } })).length, 1);
    assert.equal(startsOf(settings({ rateSearch: [1, 1000] }), cells(2)).length, 1);
  });
});

describe('plan/run-time', () => {
  it('gives fewer cells longer runs, and leaves alone what the user said', () => {
    const [few, many] = [2, 12].map((count) => withRunTime(settings(), { groups: [cells(count)] }).runTimeMs);
    assert.ok(few > many, `${few}, ${many}`);
    assert.equal(withRunTime(settings({ runTimeMs: 77 }), { groups: [cells(2)] }).runTimeMs, 77);
  });
});
