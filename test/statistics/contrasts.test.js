import assert from 'node:assert/strict';
import { pairsOf } from '../../src/collections.js';
import { contrastAll, contrastFamily } from '../../src/statistics/contrasts.js';
import { startTest } from '../../src/statistics/start-test.js';
import { createRandom } from '../helpers/random.js';

/** A run of each start. @param {number[]} values */
const starts = (values) => values.map((value, index) => ({ value, round: index + 1, start: index + 1 }));

/** Runs of one start. @param {number[]} values */
const runs = (values) => values.map((value, index) => ({ value, round: index + 1, start: 1 }));

/** Five starts that vary by about 2 %, and not alike in the samples. @param {number} middle @param {number} turn */
const five = (middle, turn = 0) => {
  const noise = [1, 0.98, 1.02, 0.99, 1.01];
  return starts([0, 1, 2, 3, 4].map((place) => middle * noise[(place * ((turn % 4) + 1) + turn) % 5]));
};

describe('statistics/contrasts', () => {
  it('is a ratio, with an interval around it', () => {
    const { between } = contrastAll([five(200), five(100, 1)]);
    const contrast = between(0, 1);
    assert.ok(Math.abs(Number(contrast?.ratio) - 2) < 1e-9);
    assert.ok(Number(contrast?.low) < 2 && Number(contrast?.high) > 2 && Number(contrast?.low) > 1.8);
    assert.equal(contrast?.differs, true);
  });

  it('is the inverse from the other side', () => {
    const { between } = contrastAll([five(200), five(100, 1)]);
    const [there, back] = [between(0, 1), between(1, 0)];
    assert.ok(there && back);
    assert.equal(back.ratio, 1 / there.ratio);
    assert.deepEqual([back.low, back.high], [1 / there.high, 1 / there.low]);
    assert.deepEqual([back.p, back.differs], [there.p, there.differs]);
  });

  it('is none of a cell with itself, and none of single starts, whatever their runs', () => {
    const { between } = contrastAll([five(200), five(100, 1)]);
    assert.equal(between(0, 0), null);
    assert.ok(between(0, 1));
    const many = Array.from({ length: 30 }, (_, run) => 1 + run / 1000);
    const apart = contrastAll([runs(many), runs(many.map((value) => 100 * value))]);
    assert.equal(apart.between(0, 1), null);
    const none = { by: null, comparisons: 0 };
    assert.deepEqual(apart.tested, { ...none, reason: 'one-start' });
    // One cell alone was started again: nothing shows how much the other's starts vary.
    assert.deepEqual(contrastAll([five(1), runs([9, 9, 9])]).tested, { ...none, reason: 'one-start' });
    // Six starts are enough: it is another cell that is missing.
    assert.deepEqual(contrastAll([starts([1, 2, 3, 4, 5, 6])]).tested, { ...none, reason: 'one-cell' });
  });

  it('distinguishes 8 cells of 5 starts', () => {
    const { tested, between } = contrastAll(
      [1, 2, 3, 4, 5, 6, 7, 8].map((middle) => five(100 * 1.5 ** middle, middle)),
    );
    assert.deepEqual([tested.by, tested.comparisons, tested.starts], ['starts', 28, 5]);
    for (let cell = 1; cell < 8; cell++) assert.equal(between(cell, cell - 1)?.differs, true);
  });

  it('the correction makes p larger, and a claim can fall', () => {
    const close = [five(100), starts([101, 104, 99.5, 103.5, 102.9])];
    const alone = contrastAll(close).between(1, 0);
    const together = contrastAll([...close, ...[1, 2, 3, 4, 5, 6].map((turn) => five(100, turn))]).between(
      1,
      0,
    );
    assert.ok(Number(together?.pAdjusted) > Number(alone?.pAdjusted));
    assert.ok(Number(together?.pAdjusted) >= Number(together?.p));
    assert.equal(together?.differs, false);
  });

  it('takes out what a start does to all cells, which two benchmarks cannot', () => {
    const drift = [1, 1.4, 0.8, 1.2, 0.9, 1.6, 1.1, 0.7];
    const cells = [100, 105, 110].map((middle, cell) =>
      starts(drift.map((factor, round) => middle * factor * (1 + 0.002 * ((round * (cell + 1)) % 3)))),
    );
    assert.equal(contrastAll(cells).between(1, 0)?.differs, true);
    const [apart] = contrastFamily([{ pairs: [[cells[1], cells[0]]], benchmarks: [[cells[1]], [cells[0]]] }]);
    assert.equal(apart.between(cells[1], cells[0])?.differs, false);
  });

  describe('of a cell in two benchmarks', () => {
    const { normal } = createRandom(61);
    const LOSS = 0.05;

    /** Its contrast with before, as it is or against another cell that the machine changed alike. @param {number} ratio @param {boolean} isAgainst */
    function changeBy(ratio, isAgainst) {
      /** @param {number} machine @param {number} speed */
      const measured = (machine, speed) => {
        const starts = [1, 2, 3, 4].map(() => machine * Math.exp(0.1 * normal()));
        return [speed, 2].map((own) =>
          starts.flatMap((luck, start) => {
            const value = own * luck * Math.exp(0.03 * normal());
            return [1, 2].map((round) => ({
              value: value * (1 + 0.01 * normal()),
              round: 2 * start + round,
              start,
            }));
          }),
        );
      };
      const [before, after] = [measured(1, 1), measured(Math.exp(0.2 * normal()), ratio)];
      const [{ between }] = contrastFamily([
        {
          pairs: [[after[0], before[0]]],
          benchmarks: [before, after],
          referencesOf: () => (isAgainst ? [[after[1], before[1]]] : []),
        },
      ]);
      return /** @type {NonNullable<ReturnType<typeof between>>} */ (between(after[0], before[0]));
    }

    /** @param {number} ratio @param {boolean} [isAgainst] */
    function shares(ratio, isAgainst = true) {
      const all = Array.from({ length: 500 }, () => changeBy(ratio, isAgainst));
      const worse = all.filter(({ high }) => high < 1 - LOSS).length / all.length;
      return { worse, excluded: all.filter(({ low }) => low >= 1 - LOSS).length / all.length };
    }

    it('claims a loss beyond the limit in 2.5 % of equal cells at most, though the machine changed', () => {
      assert.ok(shares(1 - LOSS).worse <= 0.04, 'at the limit');
      assert.ok(shares(1).worse === 0, 'equal');
      assert.ok(shares(1, false).worse > 0.1, 'what the machine did alone looks like a loss');
    });

    it('finds a loss of 30 %, and excludes one where there is none or a gain', () => {
      assert.ok(shares(0.7).worse > 0.95);
      assert.ok(shares(1.2).excluded > 0.95);
      assert.ok(shares(1 - LOSS).excluded <= 0.04, 'at the limit');
    });
  });

  it('has the mean ratio within the same start where starts are compared', () => {
    const [a, b] = [
      [100, 110, 140, 160, 170],
      [80, 82, 125, 90, 99],
    ];
    const contrast = contrastAll([starts(a), starts(b)]).between(0, 1);
    const ratio = a.reduce((product, each, start) => product * (each / b[start]), 1) ** (1 / 5);
    assert.ok(Math.abs(Number(contrast?.ratio) - ratio) < 1e-9, `${contrast?.ratio}`);
    assert.ok(Number(contrast?.low) <= ratio && Number(contrast?.high) >= ratio);
  });

  it('compares a cell that was started once with those that were started more often, by their variance', () => {
    const racing = [starts([100, 103, 98, 101]), starts([99, 98, 102, 103])];
    const [slow, slower] = [starts([30]), starts([20])];
    const { tested, between } = contrastAll([...racing, slow, slower]);
    assert.deepEqual([tested.starts, tested.comparisons], [4, 5]);
    assert.equal(between(0, 2)?.differs, true);
    assert.equal(between(0, 1)?.differs, false);
    assert.equal(between(2, 3), null);
  });

  it('tells one figure of what starts tell apart: of the pair that varies most where nothing was claimed', () => {
    const calm = [starts([100, 101, 100, 99, 100]), starts([100, 99, 101, 100, 100])];
    const wild = starts([100, 150, 70, 130, 80]);
    const { tested, between } = contrastAll([...calm, wild]);
    assert.equal(between(2, 0)?.differs, false);
    assert.ok(Number(tested.tellsApart) > 0.4, `${tested.tellsApart}`);
    assert.ok(Number(contrastAll(calm).tested.tellsApart) < 0.03);
  });

  it('tells no figure where not even ten times as much would show', () => {
    for (const [low, high] of [
      [1e-15, 1e15],
      [50, 200],
    ]) {
      const { tested } = contrastAll([starts([low, high]), starts([high, low])]);
      assert.equal(tested.starts, 2);
      assert.equal(tested.tellsApart, null);
    }
  });

  it('corrects p and interval alike: for the looks of a race, and for the pairs that are left', () => {
    const cells = [
      [100, 103, 98, 101],
      [114, 110, 115, 111],
      [107, 104, 107, 105],
    ].map(starts);
    const pairs = pairsOf(cells);
    const [{ between }] = contrastFamily([{ pairs }], 1.25);
    const { shiftOf } = /** @type {NonNullable<ReturnType<typeof startTest>>} */ (
      startTest(pairs, { kindOf: () => 0 })
    );
    const ascending = pairs.map((pair) => ({ pair, ...shiftOf(pair) })).sort((a, b) => a.p - b.p);
    for (const [rank, { pair, p, interval }] of ascending.entries()) {
      const left = pairs.length - rank;
      const { low, high } = interval(1 - 0.05 / 1.25 / left);
      const contrast = between(...pair);
      assert.deepEqual(
        [contrast?.differs, contrast?.pAdjusted, contrast?.low, contrast?.high],
        [true, p * 1.25 * left, Math.exp(low), Math.exp(high)],
      );
    }
  });

  it('claims nothing that starts show only while processors are kept awake', () => {
    /** @param {number[]} asIs @param {number[]} awake */
    const inBoth = (asIs, awake) =>
      asIs.flatMap((value, start) => [
        { value, round: 2 * start, start },
        { value: awake[start], round: 2 * start + 1, start, awake: true },
      ]);
    const other = inBoth([98, 94, 104, 93], [101, 99, 101, 101]);
    const contrastOf = (/** @type {number[]} */ asIs) =>
      contrastAll([inBoth(asIs, [109, 109, 113, 112]), other]).between(0, 1);
    assert.equal(contrastOf([103, 105, 107, 102])?.differs, false);
    assert.equal(contrastOf([106, 103, 112, 102])?.differs, true);
  });

  it('a lone outlier does not make a claim, nor leave the figures', () => {
    const { between } = contrastAll([five(100), starts([100, 99, 101, 100.5, 500])]);
    const contrast = between(1, 0);
    assert.equal(contrast?.differs, false);
  });
});
