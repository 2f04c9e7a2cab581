import { percent, whole } from './figures.js';
import { mainCausesText } from './limit-words.js';
import { testText } from './test-words.js';

/**
 * @import { Finding, Scatter } from '../../analysis/types.js'
 * @import { Words } from './findings.js'
 */

/** @typedef {Extract<Finding, {kind: 'certainty'}>} Certainty */

/** How sure the choices are, and why. @satisfies {Record<string, Words>} */
export const CERTAINTY_WORDS = {
  certainty: {
    sure: (/** @type {Certainty[]} */ [finding]) => [sureText(finding)],
    details: (/** @type {Certainty[]} */ [finding]) => [testedText(finding)],
  },
  why: {
    outcome: (/** @type {Extract<Finding, {kind: 'why'}>[]} */ all, context) =>
      all.map((finding) => mainCausesText(finding, context, true)),
  },
};

/** Chances are not told more precisely: p says little about how small the chance is beyond that. */
const RAREST = 1000;

/** @param {Certainty} finding @returns {string} the chance rounded up, to a figure that is easily read */
function sureText({ worstPAdjusted }) {
  const exact = Math.min(RAREST, 1 / Math.max(worstPAdjusted, 1 / RAREST));
  const unit = 10 ** Math.floor(Math.log10(exact));
  const times = whole(Math.floor(exact / unit) * unit);
  return `How sure: chance alone would show differences this large in at most 1 of ${times} such benchmarks.`;
}

/** @param {Certainty} finding */
function testedText(finding) {
  const { worstPAdjusted, tested } = finding;
  const tests = [...new Set(tested.map(testText))].join('; or ');
  return `Tested: p ${pText(worstPAdjusted)} at worst (${tests}). ${variationText(finding)}`;
}

/** @param {Scatter} scatter @returns {string} `Half of the cells vary by less than 3 % over their 6 runs.` */
export function variationText({ fewestRuns, mostRuns, medianVariationShare }) {
  const runs = fewestRuns === mostRuns ? mostRuns : `${fewestRuns} to ${mostRuns}`;
  return `Half of the cells vary by ${percent(medianVariationShare)} or less over their ${runs} runs.`;
}

/** @param {number} p */
const pText = (p) => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(p < 0.01 ? 4 : 3)}`);
