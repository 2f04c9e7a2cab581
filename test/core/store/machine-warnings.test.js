import assert from 'node:assert/strict';
import { factText } from '../../../src/benchmark/report/words/fact-words.js';
import { apart, ownTail } from '../../../src/core/store/run-warnings.js';
import { latencyFixture } from '../../helpers/latency-fixture.js';

/** @import { MachineFigures } from '../../../src/core/store/types.js' */

/**
 * @param {string} name
 * @param {{startedAfterMs?: number, us?: number}} own
 * @returns {MachineFigures}
 */
const machine = (name, { startedAfterMs = 0, us = 100 }) => ({
  name,
  startedAfterMs,
  clockErrorMs: 0.1,
  elapsedMs: 1000,
  operations: 2000,
  opsPerSecond: 2000,
  cpuUtilization: 0.1,
  latency: latencyFixture(Array.from({ length: 1000 }, () => us)),
});

describe('runs of several machines', () => {
  it('are marked when they started too far apart, by time or by their length', () => {
    const late = [machine('a', {}), machine('b', { startedAfterMs: 8 })];
    assert.deepEqual(apart(late, 1000), []);
    assert.match(factText(apart(late, 500)[0]), /10 ms or 1 %/);
    const far = [machine('a', {}), machine('b', { startedAfterMs: 11 })];
    assert.deepEqual(apart(far, 60_000), [{ kind: 'started-apart', ms: 10, beyondShare: 0.01 }]);
    assert.deepEqual(apart([machine('a', { startedAfterMs: 50 })], 100), []);
  });

  it('name the machine whose own the tail is', () => {
    assert.deepEqual(ownTail([machine('a', {}), machine('b', {}), machine('c', {})]), []);
    const [own] = ownTail([machine('a', {}), machine('b', { us: 400 }), machine('c', {})]);
    assert.match(factText(own), /from b: its p99/);
  });
});
