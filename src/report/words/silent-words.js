import { variationText } from './certainty-words.js';
import { percent, times } from './figures.js';

/**
 * @import { Finding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** @template {string} Kind @typedef {Extract<Finding, {kind: Kind}>} Of */

const SMOKE =
  'A smoke run shows that everything works; it is too short to conclude anything from its figures.';
const SINGLE_RUNS = 'With a single run of a cell no difference can be claimed; use --runs 5 or more.';
const MORE = 'Smaller differences show with more --runs, or --until-stable 2.';

/** Why nothing is recommended. @satisfies {Record<string, Words>} */
export const SILENT_WORDS = {
  smoke: { advice: overall(() => SMOKE), conclusion: () => [SMOKE] },
  'no-result': {
    advice: overall(() => 'No cell gave a result, so there is nothing to conclude.'),
    conclusion: () => ['No cell of this group gave a result.'],
  },
  'nothing-to-compare': {
    advice: () => ['There is nothing to choose between: no group has two cells with a result.'],
  },
  'single-runs': { advice: overall(() => SINGLE_RUNS), conclusion: () => [SINGLE_RUNS] },
  'no-single-best': {
    advice: ([{ cells }], { name }) => [
      `There is no choice that is best everywhere: fastest are ${[...new Set(cells.map(name))].join(', ')}, each somewhere else; see the tables.`,
    ],
  },
  'no-choice-differs': {
    advice: () => [
      'No single choice was shown to matter; the cells that differ do so in several choices at once, or in how they were placed. See the tables.',
    ],
  },
  'no-difference': {
    advice: (/** @type {Of<'no-difference'>[]} */ [finding]) => [
      `No difference that this machine can show: choose by other reasons. ${variationText(finding)} ${MORE}`,
    ],
  },
  'too-noisy': {
    advice: (/** @type {Of<'too-noisy'>[]} */ [finding]) => [
      `${tooNoisyText(finding)} ${variationText(finding)} Use more --runs, a longer --run-time, or a quieter machine.`,
    ],
  },
};

/**
 * @param {() => string} text
 * @returns {(findings: Finding[], context: Context) => string[]} for the finding that is about the whole benchmark
 */
function overall(text) {
  return (findings) => (findings.some(({ group }) => group === null) ? [text()] : []);
}

/** Fewer runs can claim nothing but the largest differences, on however quiet a machine. */
const FEW_RUNS = 5;

/** @param {Of<'too-noisy'>} finding */
function tooNoisyText({ mostRuns, widestReachShare, farthestApartTimes }) {
  const why = mostRuns < FEW_RUNS ? 'Too few runs to tell' : 'Too noisy to tell';
  return `${why}: medians lie up to ${times(farthestApartTimes)} apart, but from ${mostRuns} runs, known to ± ${percent(widestReachShare)}, no difference can be claimed.`;
}
