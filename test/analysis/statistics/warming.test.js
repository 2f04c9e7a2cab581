import assert from 'node:assert/strict';
import {
  coldStarts,
  fallOf,
  stillWarming,
  warmRuns,
  warmthOf,
} from '../../../src/analysis/findings/warm-runs.js';
import { createRandom } from '../../helpers/random.js';

/** @import { Run, Slice } from '../../../src/results/types.js' */

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

const areCold = (/** @type {Run[]} */ runs) => fallOf(runs).isFalling;

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

  it('leaves out the starts that were cold, and nothing where none was warm', () => {
    const runs = [runOf(1, WARM), runOf(2, FALLING), runOf(3, WARM)];
    assert.deepEqual(coldStarts(runs), [2]);
    assert.deepEqual(warmRuns(runs), [runs[0], runs[2]]);
    assert.equal(areCold(runs), false);
    assert.equal(areCold([runs[1]]), true);
    assert.equal(
      areCold([runOf(1, [12.1, 12, 11.9, 9.2, 9.3, 9])]),
      false,
      'the only start, which fell a little',
    );
    assert.deepEqual(warmRuns([runs[1]]), [runs[1]]);
    assert.equal(areCold([]), false);
  });

  it('drops a cell that was cold, unless nobody wanted it warm, or it mostly waits or works for the application', () => {
    const settings = { warmupRuns: 1, smoke: false };
    const near = { appWorkUs: 0 };
    const distant = { ...near, distance: { rttMs: 1, jitterPercent: 0 } };
    const [busy, waiting] = [30, 20].map((cpuMs) => ({ isFalling: true, cpuMs, elapsedMs: 100 }));
    assert.equal(warmthOf(near, waiting, settings), 'cold');
    assert.equal(warmthOf(distant, busy, settings), 'cold');
    assert.equal(warmthOf(distant, waiting, settings), 'waits');
    assert.equal(warmthOf({ appWorkUs: 500 }, waiting, settings), 'waits');
    assert.equal(warmthOf(near, { ...busy, isFalling: false }, settings), 'warm');
    assert.equal(warmthOf(near, busy, { ...settings, warmupRuns: 0 }), 'warm');
    assert.equal(warmthOf(near, busy, { ...settings, smoke: true }), 'warm');
  });
});
