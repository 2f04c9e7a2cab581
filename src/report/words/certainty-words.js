import { conditionsOf } from '../../axes/cell-names.js';
import { percent } from './figures.js';
import { slowerText } from './limit-words.js';
import { testText } from './test-words.js';

/**
 * @import { Finding, Scatter } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** How sure the choices are, and why. @satisfies {Record<string, Words>} */
export const CERTAINTY_WORDS = {
  certainty: {
    advice: (/** @type {Extract<Finding, {kind: 'certainty'}>[]} */ [finding]) => [certaintyText(finding)],
  },
  why: {
    advice: (/** @type {Extract<Finding, {kind: 'why'}>[]} */ [finding], context) => [
      whyText(finding, context),
    ],
  },
};

/** @param {Extract<Finding, {kind: 'why'}>} finding @param {Context} context */
function whyText(finding, context) {
  const where = conditionsOf(context.cell(finding.cell), context.measured);
  return `Why${where === '' ? '' : ` (${where})`}: ${slowerText(finding, context)}`;
}

/** @param {Extract<Finding, {kind: 'certainty'}>} finding */
function certaintyText(finding) {
  const { worstPAdjusted, tested } = finding;
  const tests = [...new Set(tested.map(testText))].join('; or ');
  return `How sure: p ${pText(worstPAdjusted)} at worst (${tests}). ${variationText(finding)}`;
}

/** @param {Scatter} scatter @returns {string} `Half of the cells vary by less than 3 % over their 6 runs.` */
export function variationText({ fewestRuns, mostRuns, medianVariationShare }) {
  const runs = fewestRuns === mostRuns ? mostRuns : `${fewestRuns} to ${mostRuns}`;
  return `Half of the cells vary by ${percent(medianVariationShare)} or less over their ${runs} runs.`;
}

/** @param {number} p */
const pText = (p) => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(p < 0.01 ? 4 : 3)}`);
