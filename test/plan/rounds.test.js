import assert from 'node:assert/strict';
import { createRounds } from '../../src/plan/rounds.js';

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
