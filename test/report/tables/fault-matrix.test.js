import assert from 'node:assert/strict';
import { faultMatrix } from '../../../src/report/tables/fault-matrix.js';
import { struckRun } from '../../helpers/fault-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

/** @param {string} fault */
async function matrixOf(fault) {
  const { cells } = await createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'pool', fault, durationMs: 3000, rate: '1000' },
    packages: { redis: '6.3.1', ioredis: '6.0.0' },
    measured: (cell) => ({
      iterations: null,
      runs: [
        {
          ...goodRun(1, { tasks: 8, iterations: 100, averageMs: 1 }),
          fault: struckRun(
            cell.client === 'redis' && cell.fault?.kind === 'stall'
              ? { doneTwice: 3, failed: 2, heldAgainMs: null }
              : {},
          ),
        },
      ],
    }),
  });
  return faultMatrix(cells);
}

describe('report/tables/fault-matrix', () => {
  it('has a row for each client and a column for each fault, with who was harmed and for how long', async () => {
    const matrix = await matrixOf('cut,stall:2s');
    assert.deepEqual(
      matrix?.columns.map(({ title }) => title),
      ['cut', 'stall:2s'],
    );
    assert.deepEqual(Object.fromEntries(matrix?.rows.map(({ name, texts }) => [name, texts]) ?? []), {
      redis: ['2 s', '2 s, did not recover, 2 failed, 3 done twice'],
      ioredis: ['2 s', '2 s'],
    });
    assert.deepEqual(matrix?.rows.find(({ name }) => name === 'redis')?.state, ['close', 'failed']);
  });

  it('is none of a single fault', async () => {
    assert.equal(await matrixOf('cut'), null);
  });
});
