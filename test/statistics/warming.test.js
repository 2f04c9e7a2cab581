import assert from 'node:assert/strict';
import { neverWarmed, stillWarming } from '../../src/store/slices.js';
import { createRandom } from '../helpers/random.js';

/** @import { Run, Slice } from '../../src/store/types.js' */

/** @param {number[]} cpuUsPerOp @returns {Slice[]} disturbed ones, as beside other programs */
const slicesOf = (cpuUsPerOp) =>
  cpuUsPerOp.map((each) => ({
    elapsedMs: 60,
    operations: 1000,
    cpuUs: 1000 * each,
    waitedMs: 30,
    serverWaitedMs: 0,
    stolenMs: 0,
    disturbed: true,
    repeats: 0,
  }));

/** @param {number} start @param {number[]} cpuUsPerOp */
const runOf = (start, cpuUsPerOp) =>
  /** @type {Run} */ (/** @type {unknown} */ ({ start, round: start, slices: slicesOf(cpuUsPerOp) }));

/** As starts of redis:tuned were timed beside other programs. */
const FALLING = [16.6, 14.2, 12.1, 8.7, 9.7, 7.8, 7.2];
const WARM = [9.2, 9.6, 9.3, 9, 9.5, 10, 9.8];

const SETTINGS = { warmupRuns: 1, smoke: false };
const NEAR = { appWorkUs: 0 };

describe('statistics/warming', () => {
  it('sees CPU fall over the slices of a start, disturbed or not', () => {
    assert.equal(stillWarming(slicesOf(FALLING)), true);
    assert.equal(stillWarming(slicesOf(WARM)), false);
    assert.equal(stillWarming(slicesOf(FALLING.toReversed())), false);
  });

  it('does not judge by a few slices, nor by one that was slow', () => {
    assert.equal(stillWarming(slicesOf([33, 20, 10, 6, 6])), false);
    assert.equal(stillWarming(slicesOf([30, 9.6, 9.3, 9, 9.5, 10, 9.8])), false);
  });

  it('calls at most 1 in 20 warm starts cold where CPU varies by 20 %', () => {
    const { normal } = createRandom(1);
    const trials = 2000;
    let cold = 0;
    for (let trial = 0; trial < trials; trial++)
      if (stillWarming(slicesOf(Array.from({ length: 7 }, () => 9 * Math.exp(0.2 * normal()))))) cold++;
    assert.ok(cold / trials <= 0.05, `${cold / trials}`);
  });

  it('a cell is cold where each of its starts was, and a single one must fall by more', () => {
    const areCold = (/** @type {Run[]} */ runs) => neverWarmed(NEAR, runs, SETTINGS);
    assert.equal(areCold([runOf(1, WARM), runOf(2, FALLING)]), false);
    assert.equal(areCold([runOf(1, FALLING), runOf(2, FALLING)]), true);
    assert.equal(areCold([runOf(1, FALLING)]), true);
    assert.equal(areCold([runOf(1, [12.1, 12, 11.9, 9.2, 9.3, 9])]), false);
    assert.equal(areCold([]), false);
  });

  it('nor where nobody wanted it warm, or it mostly waits, or works for the application', () => {
    const runs = [runOf(1, FALLING)];
    // Its CPU is a sixth of its time.
    assert.equal(neverWarmed({ ...NEAR, distance: { rttMs: 1, jitterPercent: 0 } }, runs, SETTINGS), false);
    assert.equal(neverWarmed({ appWorkUs: 500 }, runs, SETTINGS), false);
    assert.equal(neverWarmed(NEAR, runs, { ...SETTINGS, warmupRuns: 0 }), false);
    assert.equal(neverWarmed(NEAR, runs, { ...SETTINGS, smoke: true }), false);
  });
});
