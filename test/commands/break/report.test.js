import assert from 'node:assert/strict';
import { renderReport } from '../../../src/cli/render.js';
import { struckRun } from '../../helpers/fault-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

/** @import { FaultRun } from '../../../src/commands/break/types.js' */

/** @type {Record<string, Record<string, Partial<FaultRun>>>} by client and fault */
const HAPPENED = {
  ioredis: { cut: { failed: 10, doneThoughFailed: 9 } },
  iovalkey: { cut: { failed: 10 }, stall: { failed: 3, lost: 2 } },
};

describe('who came through', () => {
  it('is no client whose callers were told of a failure, done or not', async () => {
    const report = await createFixture({
      given: { clients: 'ioredis,redis,iovalkey', fault: 'cut,stall:1s' },
      packages: { redis: '6.3.1', ioredis: '6.0.0', iovalkey: '1.0.0' },
      measured: (cell) => ({
        iterations: null,
        runs: [
          {
            ...goodRun(1, { tasks: 8, iterations: 100, averageMs: 3000 }),
            fault: struckRun(HAPPENED[cell.client]?.[`${cell.fault?.kind}`] ?? {}),
          },
        ],
      }),
    });
    const screen = await renderReport({ ...report, command: 'break' }, 'table');
    const [, rows] = /came through +trouble\n.*\n((?: .*\n)+)/.exec(screen) ?? [];
    assert.deepEqual(
      rows
        .trimEnd()
        .split('\n')
        .map((row) => row.trim().split(/ {2,}/)),
      [
        ['redis', '2 of 2'],
        ['ioredis', '1 of 2', 'cut: 10 failed, 9 failed but done'],
        ['iovalkey', '0 of 2', 'cut: 10 failed; stall:1s: 2 lost, 3 failed'],
      ],
    );
  });
});
