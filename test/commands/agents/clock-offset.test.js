import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareClocks } from '../../../src/commands/agents/control-redis.js';

describe('the offset between two clocks', () => {
  /** A clock that only moves when an exchange takes its time. */
  function createExchanges(/** @type {[there: number, back: number][]} */ ways, aheadMs = 1000) {
    let nowMs = 0;
    let exchange = 0;
    return {
      here: () => nowMs,
      async ask() {
        const [there, back] = ways[exchange++];
        nowMs += there;
        const answer = nowMs + aheadMs;
        nowMs += back;
        return answer;
      },
    };
  }

  it('is that of the shortest exchange, and at most half of it off', async () => {
    const { ask, here } = createExchanges([
      [5, 50],
      [1, 3],
      [40, 2],
    ]);
    const { offsetMs, errorMs } = await compareClocks(ask, 3, here);
    assert.equal(errorMs, 2);
    assert.equal(offsetMs, 999);
    assert.ok(Math.abs(offsetMs - 1000) <= errorMs);
  });

  it('is exact where both ways take the same time', async () => {
    const { ask, here } = createExchanges([[3, 3]], -250);
    assert.deepEqual(await compareClocks(ask, 1, here), { offsetMs: -250, errorMs: 3 });
  });

  it('of a real clock is within its error', async () => {
    const { offsetMs, errorMs } = await compareClocks(
      async () => {
        await sleep(1);
        return performance.now() + 500;
      },
      5,
      () => performance.now(),
    );
    assert.ok(Math.abs(offsetMs - 500) <= errorMs, `${offsetMs} ± ${errorMs}`);
  });
});
