import { startedCold } from '../../../cold/first-replies.js';
import {
  joined,
  pEquals,
  percent,
  perSecond,
  ratioText,
  spanText,
  times,
  whole,
} from '../../../core/report/figures.js';

/** @import { Scatter, Tested } from '../../judge/types.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** How sure the choices are, and which cell of a group is fastest by how much. @satisfies {Words} */
export const CERTAINTY_WORDS = {
  certainty: { sure: sureText, details: testedText },
  fastest: { conclusion: fastestText },
};

/** p says little about how much smaller a chance is. */
const RAREST = 1000;

/** @param {Of<'certainty'>} finding @returns {string} the chance rounded up to one digit */
function sureText({ worstPAdjusted }) {
  const exact = Math.min(RAREST, 1 / Math.max(worstPAdjusted, 1 / RAREST));
  const unit = 10 ** Math.floor(Math.log10(exact));
  return `Confidence: chance alone would produce this in at most 1 in ${whole(Math.floor(exact / unit) * unit)} benchmarks.`;
}

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

/** @typedef {Of<'fastest'>} Fastest */

const MOST_NAMED = 3;

/** @param {Fastest} finding @param {Context} context */
function fastestText(finding, { name, measured }) {
  const { cells, cell, opsPerSecond, doubtful, slower } = finding;
  if (cells.length === 1)
    return `${name(cell)} does ${perSecond(opsPerSecond)} operations per second; there is nothing to compare it with.`;
  const subject = subjectOf(finding, name);
  const doubt = doubtful.length === 0 ? '' : ` ${doubtText(doubtful, name, measured)}`;
  if (slower.length === 0) return `${subject}.${doubt}`;
  const [next, ...others] = slower.map((each) => `${ratioText(each)} as fast as ${name(each.cell)}`);
  const last = others.length === 0 ? '' : `, and ${others[others.length - 1]}, the slowest`;
  return `${subject}: ${next}${last}.${doubt}`;
}

/** @param {Fastest} finding @param {Context['name']} name */
function subjectOf({ cell, opsPerSecond, ties, doubtful }, name) {
  const figure = `${perSecond(opsPerSecond)} operations per second`;
  // While another may be as fast, none is shown to be the fastest.
  const shown = doubtful.length === 0;
  if (ties.length === 0)
    return `${name(cell)} ${shown ? 'is fastest with' : 'has the highest median,'} ${figure}`;
  const others = ties.length <= MOST_NAMED ? ties.map(name) : [`${ties.length} other cells`];
  const winners = joined([name(cell), ...others]);
  return `${winners} ${shown ? 'are fastest' : 'have the highest medians'}, with no significant difference ${ties.length === 1 ? 'between them' : `from ${name(cell)}`} (about ${figure})`;
}

/** @param {Fastest['doubtful']} doubtful @param {Context['name']} name @param {Context['measured']} measured */
function doubtText(doubtful, name, measured) {
  const names = doubtful.map(({ cell, timesSlower }) => `${name(cell)} (${times(timesSlower)})`);
  const text =
    names.length <= MOST_NAMED
      ? names.join(', ')
      : `${names.length} cells, from ${names[0]} to ${names[names.length - 1]}`;
  return `Maybe slower, but not proven: ${text}. Use more --runs${startedCold(measured) ? '' : ' and --starts'}.`;
}
