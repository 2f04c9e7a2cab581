import assert from 'node:assert/strict';
import { checkEveryPair } from './check-pairs.js';
import { DIFFERENCES, ONE_VALUE } from './pairs.js';

/** @import { Report } from '../../src/store/types.js' */

const OTHERS = DIFFERENCES.filter((each) => each !== 'choices');

/**
 * Every axis is in many times as many pairs as there are differences, so each pair has one of them in turn. Of an axis
 * with one value nothing but choices can differ.
 * @param {string[]} pair @param {number} index
 */
const differencesOf = (pair, index) =>
  pair.some((axis) => ONE_VALUE.includes(axis)) ? [] : [OTHERS[index % OTHERS.length]];

describe('reports of two values of every two axes, whose conditions, noise or nothing differ', function () {
  this.timeout(600_000);
  /** @type {Report[]} in which no cell differs */
  const equal = [];

  // The other formats have no claims of their own, and are read for their rows where choices differ.
  checkEveryPair(
    differencesOf,
    () => ['table'],
    (report, difference) => {
      if (difference === 'none') equal.push(report);
    },
  );

  it('claim a difference between equal cells in at most 5 of 100', () => {
    const claiming = equal.filter((report) => JSON.stringify(report.comparisons).includes('"differs":true'));
    assert.ok(equal.length > 100);
    assert.ok(claiming.length / equal.length <= 0.05, `${claiming.length} of ${equal.length}`);
  });
});
