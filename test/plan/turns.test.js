import assert from 'node:assert/strict';
import { turnsOf } from '../../src/plan/turns.js';

/** @import { Cell } from '../../src/plan/types.js' */

const cells = Array.from(
  { length: 200 },
  (_, index) => /** @type {Cell} */ ({ id: `${index}`, processes: 1, keys: 1, keySize: 10, valueSize: 10 }),
);

describe('plan/turns', () => {
  it('is one turn where all workers fit into memory', () => {
    assert.deepEqual(turnsOf(cells, { bytes: 100e9, processes: 200 }), [cells]);
  });

  it('has as many workers in a turn as fit into half of the free memory, and every cell once, in order', () => {
    const turns = turnsOf(cells, { bytes: 4e9, processes: 1000 });
    assert.deepEqual(turns.flat(), cells);
    assert.ok(turns.length >= 4 && turns.length <= 8, `${turns.length}`);
    for (const turn of turns) assert.ok(turn.length * 25e6 <= 2e9, 'at the 25 MB that each of 200 took');
  });

  it('has no more processes in a turn than the tool may have open files for', () => {
    const turns = turnsOf(cells, { bytes: 100e9, processes: 150 });
    assert.deepEqual(
      turns.map((turn) => turn.length),
      [150, 50],
    );
  });

  it('has a cell with many processes or much data in a turn of its own', () => {
    const [cell] = cells;
    const large = [cell, { ...cell, processes: 40 }, cell, { ...cell, keys: 4e6, valueSize: 1000 }];
    assert.deepEqual(
      turnsOf(large, { bytes: 1e9, processes: 1000 }).map((turn) => turn.length),
      [1, 1, 1, 1],
    );
  });
});
