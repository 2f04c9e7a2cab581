import assert from 'node:assert/strict';
import { lossOf } from '../../../../src/commands/benchmark/findings/where-time-goes.js';
import { mixedReport } from '../../../helpers/report-fixture.js';

const PARTS = { clientWaitUs: 10, roundTripUs: 20, unreadUs: 900, handledUs: 70, wholeUs: 1000 };
const BREAKDOWN = {
  p50: PARTS,
  p99: PARTS,
  cpuRatio: 1,
  relayUs: 30,
  relayWaitedShare: 0,
  operations: 1000,
  slices: [],
};

describe('where the time goes', () => {
  it('blames a process for replies that it leaves unread only where it had the CPU that it wanted', async () => {
    const report = await mixedReport();
    const [cell] = report.cells.filter(({ summary }) => summary !== null);
    const found = (/** @type {number} */ waitedShare) => {
      const summary = structuredClone(cell.summary) ?? assert.fail();
      const waits = { slices: 9, disturbed: 0, repeats: 0, waitedShare, stolenShare: null };
      Object.assign(summary, { waits, breakdown: BREAKDOWN });
      return lossOf({ ...cell, summary }).map(({ part }) => part);
    };
    assert.deepEqual([found(0.01), found(0.7)], [['unread'], []]);
  });
});
