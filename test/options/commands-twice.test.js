import assert from 'node:assert/strict';
import { createFixture } from '../helpers/report-fixture.js';

const STRLEN = 'STRLEN {key}';

/** @param {string[]} command @param {string[]} [prepare] of each cell its id, its title and what stores its data */
async function cellsOf(command, prepare) {
  const given = { clients: 'raw', scenarios: 'shared-connection', command, ...(prepare && { prepare }) };
  const { cells } = await createFixture({ given, measured: () => null });
  assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
  return cells.map(({ chosen }) => [
    chosen.workload.title,
    /** @type {any} */ (chosen.workload.parameter).prepare?.join(' '),
  ]);
}

describe('a command that is given twice', () => {
  it('is two where its data is made by different commands, whose names its rows have', async () =>
    assert.deepEqual(
      await cellsOf([STRLEN, 'GET {key}', STRLEN], ['SET {key} 1', 'SET {key} 2', 'SET {key} 3']),
      [
        ['STRLEN {key} after SET {key} 1', 'SET {key} 1'],
        ['GET {key}', 'SET {key} 2'],
        ['STRLEN {key} after SET {key} 3', 'SET {key} 3'],
      ],
    ));

  it('is one where its data is the same', async () => {
    const prepared = ['STRLEN {key}', 'SET {key} 1'];
    assert.deepEqual(await cellsOf([STRLEN, STRLEN], ['SET {key} 1', 'SET {key} 1']), [prepared]);
    assert.deepEqual(await cellsOf([STRLEN, STRLEN], ['SET {key} 1']), [prepared]);
    assert.deepEqual(await cellsOf([STRLEN]), [['STRLEN {key}', undefined]]);
  });
});
