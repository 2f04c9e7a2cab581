import assert from 'node:assert/strict';
import { endsOf, sideOf } from '../../src/history/side.js';

/** @param {number} middle @param {number} [noise] part of it @param {number} [runs] */
const sample = (middle, noise = 0.02, runs = 8) =>
  Array.from({ length: runs }, (_, index) => ({
    round: index + 1,
    // The same spread for all, but not the same rounds.
    value: middle * (1 + noise * (((index * 5 + Math.round(middle * 7)) % runs) / (runs - 1) - 0.5)),
  }));

/** @param {number} low @param {number} release @param {number} high @param {number} [noise] */
const verdict = (low, release, high, noise) => {
  const side = sideOf([sample(low, noise), sample(release, noise), sample(high, noise)]);
  return [side?.side, side?.sure];
};

describe('findings/side', () => {
  it('a release is on the side whose figures it has', () => {
    assert.deepEqual(verdict(2, 2.01, 12), ['low', true]);
    assert.deepEqual(verdict(2, 11.9, 12), ['high', true]);
    assert.deepEqual(verdict(12, 11.9, 2), ['low', true]);
  });
  it('a small difference that the statistics see does not make a side of its own', () => {
    const side = sideOf([sample(2), sample(2.3), sample(12)]);
    assert.ok(side?.toLow?.differs);
    assert.deepEqual([side?.side, side?.sure], ['low', true]);
  });
  it('a release that is clearly like neither lies between', () => {
    assert.deepEqual(verdict(2, 5, 12), ['between', true]);
  });
  it('where noise hides the difference, it is the nearer side and not sure', () => {
    assert.deepEqual(verdict(2, 2.1, 2.4, 1), ['low', false]);
    assert.deepEqual(verdict(2, 2.3, 2.4, 1), ['high', false]);
  });
  it('tells the medians that it was decided by', () => {
    const { low, release, high } = sideOf([sample(2), sample(5), sample(12)])?.medians ?? {};
    assert.deepEqual(
      [low, release, high].map((value) => Math.round(Number(value))),
      [2, 5, 12],
    );
  });
  it('says nothing about what has fewer than two runs', () => {
    assert.equal(sideOf([sample(2), sample(3, 0, 1), sample(12)]), null);
    assert.equal(endsOf([sample(2), []]), null);
  });
  it('the ends differ or do not', () => {
    assert.equal(endsOf([sample(2), sample(12)])?.contrast.differs, true);
    assert.equal(endsOf([sample(2, 0.5), sample(2.1, 0.5)])?.contrast.differs, false);
    assert.ok(Math.abs(Number(endsOf([sample(2), sample(12)])?.contrast.ratio) - 6) < 0.1);
  });
});
