import assert from 'node:assert/strict';
import { decidePoint } from '../../../src/analysis/findings/decide-point.js';
import { goodRun } from '../../helpers/report-fixture.js';

/** @import { Run, Slice } from '../../../src/results/types.js' */

/**
 * @param {string} id
 * @param {(number | [perSecond: number, disturbed: number])[]} starts each with three slices; where one is disturbed it is five times slower
 */
const cell = (id, starts) => ({
  id,
  runs: starts.map((start, place) => {
    const [perSecond, disturbed] = Array.isArray(start) ? start : [start, 0];
    const slices = [0, 1, 2].map((slice) =>
      sliceOf(slice < disturbed ? perSecond / 5 : perSecond, slice < disturbed),
    );
    const run = goodRun(place + 1, { tasks: 1, iterations: 100, averageMs: 180 });
    return /** @type {Run} */ ({
      ...run,
      start: place + 1,
      opsPerSecond: (perSecond * (3 - (4 / 5) * disturbed)) / 3,
      slices,
    });
  }),
});

/** @param {number} perSecond @param {boolean} disturbed */
const sliceOf = (perSecond, disturbed) =>
  /** @type {Slice} */ ({
    elapsedMs: 60,
    operations: perSecond * 0.06,
    waitedMs: 0,
    serverWaitedMs: 0,
    stolenMs: 0,
    disturbed,
  });

describe('findings/decide-point', () => {
  const steady = [1000, 1003, 998, 1001, 1002];

  it('takes the slices of a run in which nobody was without a processor', () => {
    const { state, standing } = decidePoint([
      cell('a', steady),
      cell('b', [[1001, 1], 1000, [1002, 1], 999, [1000, 1]]),
    ]);
    assert.equal(state, 'decided');
    assert.deepEqual(
      standing.map((each) => each.standing),
      ['good', 'good'],
    );
    for (const { opsPerSecond } of standing) assert.ok(opsPerSecond > 990, `${opsPerSecond}`);
  });

  it('does not drop a choice after a start in which its worker was cold, unless it is far slower than that explains', () => {
    const cold = (/** @type {number} */ perSecond) => ({ ...cell('b', [perSecond]), warm: false });
    const standingOf = (/** @type {number} */ perSecond) =>
      decidePoint([cell('a', [1000]), cold(perSecond)]).standing.map((each) => each.standing);
    assert.deepEqual(standingOf(200), ['open', 'open']);
    assert.deepEqual(standingOf(100), ['good', 'behind']);
    assert.deepEqual(decidePoint([cell('a', [1000]), cell('b', [200])]).state, 'decided');
  });

  it('leaves a start out in which a choice was mostly without one', () => {
    const disturbed = [1001, 1000, /** @type {[number, number]} */ ([1002, 2]), 999, 1000];
    const { state, standing } = decidePoint([cell('a', steady), cell('b', disturbed)]);
    assert.equal(state, 'decided');
    assert.deepEqual(
      standing.map((each) => each.standing),
      ['good', 'good'],
    );
  });

  it('drops nothing after a first start in which others had its processor', () => {
    const waited = cell('b', [[1000, 3]]);
    const stands = (/** @type {number} */ waitedMs) => {
      for (const slice of waited.runs[0].slices ?? []) slice.waitedMs = waitedMs;
      return decidePoint([cell('a', [1000]), waited]).standing.map((each) => each.standing);
    };
    assert.deepEqual(stands(0), ['good', 'behind']);
    assert.deepEqual(stands(48), ['open', 'open']);
  });

  it('takes all where most are like that: the machine is', () => {
    const always = steady.map((each) => /** @type {[number, number]} */ ([each, 3]));
    const { starts, standing } = decidePoint([
      cell('a', always),
      cell(
        'b',
        always.map(([each]) => [each / 1.3, 3]),
      ),
    ]);
    assert.equal(starts, 5);
    assert.deepEqual(
      standing.map((each) => each.standing),
      ['good', 'behind'],
    );
  });
});
