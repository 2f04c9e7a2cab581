/** @import { Tested } from '../../judge/types.js' */

const TESTS = {
  starts: 't-test of the logarithms of each start, with one variance for cells of a kind',
  'mann-whitney': 'Mann-Whitney',
  welch: "Welch's t-test of logarithms (Mann-Whitney needs more runs)",
  paired: 'paired t-test of logarithms (the rounds move together)',
};

const NONE = {
  'one-cell': 'none: there is only one cell',
  'too-few-runs': 'none: a difference needs at least two runs of each cell',
  'open-loop': 'none: an open loop runs at a given rate',
};

/** @param {Tested} tested @returns {string} the test that decided what differs: `Mann-Whitney, p corrected for 3 comparisons by Holm` */
export function testText({ by, comparisons, reason }) {
  if (by === null) return NONE[reason ?? 'one-cell'];
  const correction =
    comparisons === 1 ? 'one comparison' : `p corrected for ${comparisons} comparisons by Holm`;
  return `${TESTS[by]}, ${correction}`;
}
