import assert from 'node:assert/strict';
import { accountForFault } from '../../../src/commands/break/account.js';
import { outcomeOf } from '../../../src/commands/break/outcome.js';
import { struckRun } from '../../helpers/fault-fixture.js';
import { createRandom } from '../../helpers/random.js';

/** @import { FaultOperation } from '../../../src/commands/break/account.js' */
/** @import { FaultRun } from '../../../src/commands/break/types.js' */

const AT = 0.3;
const EVERY_MS = 20;
const SLO_MS = 100;

/**
 * How callers fare in an outage until `endMs` after the fault.
 * @type {Record<string, (outage: {scheduledMs: number, backMs: number, runEndMs: number}) => Partial<FaultOperation>>}
 */
const OUTAGES = {
  'all wait until it is over': ({ backMs, runEndMs }) => ({ atMs: backMs > runEndMs ? null : backMs }),
  'all fail at once': ({ scheduledMs }) => ({ atMs: scheduledMs + 1, cause: 'closed' }),
  'all fail by a timeout': ({ scheduledMs, runEndMs }) =>
    scheduledMs + 1000 > runEndMs ? { atMs: null } : { atMs: scheduledMs + 1000, cause: 'timeout' },
  'none is answered': () => ({ atMs: null }),
};

/** @param {string} kind @param {number} outageMs @param {number} durationMs @returns {FaultRun} */
function runWith(kind, outageMs, durationMs) {
  const struckAtMs = durationMs * AT;
  const backMs = struckAtMs + outageMs;
  const runEndMs = 2 * durationMs;
  const operations = Array.from({ length: durationMs / EVERY_MS }, (_, index) => {
    const scheduledMs = index * EVERY_MS;
    const isHit = scheduledMs >= struckAtMs && scheduledMs < backMs;
    const done = { scheduledMs, atMs: scheduledMs + 1, cause: null, times: null };
    return { ...done, ...(isHit && OUTAGES[kind]({ scheduledMs, backMs, runEndMs })) };
  });
  const ends = operations.map(({ atMs }) => atMs ?? runEndMs);
  const log = {
    ...{ operations: new Map(operations.map((each, number) => [number, each])), times: null },
    ...{ scheduled: operations.length, dropped: 0, unsent: 0, elapsedMs: Math.max(durationMs, ...ends) },
    ...{ firstRssBytes: 1, rssBytes: 1, loopDelayMaxMs: null, crash: null, client: null, calls: null },
  };
  const strike = { struckAtMs, lateMs: 0, overAtMs: struckAtMs, freshFromMs: undefined, met: 1 };
  const setting = { durationMs, sloMs: SLO_MS, pause: { atMs: 0, ms: 0 }, strike, proves: 'replies' };
  return accountForFault([/** @type {any} */ (log)], /** @type {any} */ (setting)).figures;
}

/** @param {FaultRun} fault */
const cellOf = (fault) =>
  /** @type {any} */ ({ runs: [{ failed: null, fault }], openLoop: { sloMs: SLO_MS } });

describe('what a run with a fault shows', () => {
  it('is never that a client does not recover, and the duration that is named next comes to show it', () => {
    const { uniform } = createRandom(60);
    for (let round = 0; round < 80; round++) {
      const outageMs = 100 + Math.floor(uniform() * 20_000);
      const kinds = Object.keys(OUTAGES);
      const kind = kinds[round % kinds.length];
      let durationMs = 1000 * (2 + Math.floor(uniform() * 8));
      for (let attempt = 1; ; attempt++) {
        const outcome = outcomeOf(cellOf(runWith(kind, outageMs, durationMs)));
        const context = `${kind} for ${outageMs} ms in a run of ${durationMs} ms`;
        assert.equal(outcome?.recoveredMs.never, false, context);
        if (outcome?.unseenRuns === 0) break;
        // Where a wait ended, its time is known; otherwise twice as long is tried.
        assert.ok(attempt < (kind === 'all wait until it is over' ? 5 : 8), context);
        assert.ok(Number(outcome?.neededMs) > durationMs, context);
        durationMs = Math.ceil(Number(outcome?.neededMs) / 1000) * 1000;
      }
    }
  });

  it('a wait that ended after the last operation names the duration that shows the recovery at once', () => {
    const short = outcomeOf(cellOf(runWith('all wait until it is over', 5300, 6000)));
    assert.equal(short?.unseenRuns, 1);
    const next = runWith('all wait until it is over', 5300, Math.ceil(Number(short?.neededMs) / 1000) * 1000);
    assert.ok(Number(next.recoveredMs) > 0);
  });

  it('only a process that is gone never recovers', () => {
    const crash = /** @type {const} */ ({ kind: 'exit', message: 'exit code 7', at: null, ms: 1000 });
    const gone = outcomeOf(cellOf(struckRun({ recoveredMs: null, crash })));
    assert.deepEqual([gone?.recoveredMs.never, gone?.unseenRuns], [true, 0]);
    const other = outcomeOf(cellOf(struckRun({ recoveredMs: null })));
    assert.deepEqual([other?.recoveredMs.never, other?.unseenRuns], [false, 1]);
  });
});
