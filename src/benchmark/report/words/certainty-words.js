import { pEquals, percent, spanText } from '../../../core/report/figures.js';

/** @import { Scatter, Tested } from '../../judge/types.js' */
/** @import { Of, Words } from './findings.js' */

/** How sure the choices are. @satisfies {Words} */
export const CERTAINTY_WORDS = {
  certainty: { details: testedText },
  fastest: {},
};

/** @param {Of<'certainty'>} finding */
function testedText(finding) {
  const tests = [...new Set(finding.tested.map(testText))].join('; or ');
  return `Tested: ${pEquals(finding.worstPAdjusted)} at worst (${tests}). ${variationText(finding)}`;
}

/** @param {Scatter} scatter @returns {string} `Half of the cells vary by less than 3 % over their 6 runs.` */
export function variationText({ fewestRuns, mostRuns, medianVariationShare }) {
  const runs = spanText(String(fewestRuns), String(mostRuns));
  return `Half of the cells vary by ${percent(medianVariationShare)} or less over their ${runs} runs.`;
}

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
