import assert from 'node:assert/strict';
import { historyTable, savedSummary } from '../../src/history/history-table.js';

describe('report/tables: history', () => {
  it('says that something broke in a run', () => {
    const cell = { client: 'redis', variant: 'default', scenario: 'pool', workload: 'append', tasks: 8 };
    const textOf = (/** @type {object} */ more) =>
      savedSummary(
        /** @type {any} */ ({ file: 'a', header: { suite: {}, cells: [{ ...cell, ...more }] }, runs: 1 }),
      );
    assert.equal(textOf({}).measured, 'redis; pool; append; 8 tasks');
    const broken = textOf({ fault: { name: 'cut' } });
    assert.match(historyTable([broken], '/here', 200), /append; 8 tasks; fault cut/);
  });
});
