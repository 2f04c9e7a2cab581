import assert from 'node:assert/strict';
import { createDelays } from '../../src/relay/relay.js';

describe('delays', () => {
  it('are half of the round trip', () => {
    assert.equal(createDelays({ rttMs: 3, jitterPercent: 0 }, 1)(), 1.5);
  });

  it('with jitter are drawn from around it, the same for the same seed', () => {
    const draw = createDelays({ rttMs: 20, jitterPercent: 10 }, 1);
    const again = createDelays({ rttMs: 20, jitterPercent: 10 }, 1);
    const drawn = Array.from({ length: 1000 }, draw);
    assert.deepEqual(drawn, Array.from({ length: 1000 }, again));
    assert.ok(Math.min(...drawn) >= 9 && Math.min(...drawn) < 9.1);
    assert.ok(Math.max(...drawn) <= 11 && Math.max(...drawn) > 10.9);
  });
});
