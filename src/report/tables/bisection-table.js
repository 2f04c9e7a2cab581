import { mainPartsText } from '../words/code-words.js';
import { micro, pEquals, ratioText } from '../words/figures.js';

/** @import { Contrast } from '../../analysis/types.js' */
/** @import { Bisection, BisectionQuestion } from '../../commands/types.js' */

/** @param {Bisection} found @returns {string} the releases, before any of them is measured */
export function releaseList({ client, releases }) {
  const most = Math.ceil(Math.log2(releases.length - 1)) + 2;
  return `${releases.length} releases of ${client}, of which about ${Math.min(most, releases.length)} would be measured:\n${releases.map((release) => `  ${release}`).join('\n')}\n`;
}

/** @param {Bisection} found so far @returns {string} the evidence of the last answer */
export function evidence(found) {
  const { ends, questions, releases } = found;
  const figure = figureOf(found);
  const last = questions.at(-1);
  if (last !== undefined) return `${questions.length}. ${answerText(last, figure)}`;
  if (ends === null) return '';
  const { medians, contrast, test } = ends;
  return (
    `${releases[0]} has ${figure(medians.low)}, ${releases.at(-1)} has ${figure(medians.high)}: ` +
    `${ratioText(contrast)}, ${pEquals(contrast.pAdjusted)} (${test})`
  );
}

/** @param {BisectionQuestion} question @param {(value: number) => string} figure */
function answerText({ release, low, high, side, sure, medians, toLow, toHigh, reason }, figure) {
  if (medians === null || toLow === null || toHigh === null) return `${release} is stepped over: ${reason}`;
  const against = (
    /** @type {string} */ other,
    /** @type {number} */ value,
    /** @type {Contrast} */ contrast,
  ) => `${ratioText(contrast)} the ${figure(value)} of ${other}, ${pEquals(contrast.pAdjusted)}`;
  const verdict = {
    low: `like ${low}`,
    high: `like ${high}`,
    between: 'like neither: the change comes in several steps',
    broken: '',
  }[side];
  const doubt = sure ? '' : ' (the nearer one, but not significantly different from the other)';
  return `${release} has ${figure(medians.release)}: ${against(low, medians.low, toLow)}; ${against(high, medians.high, toHigh)}: ${verdict}${doubt}`;
}

/** @param {Bisection} found @returns {string[]} the conclusion */
export function conclusion(found) {
  const { client, metric, releases, ends, questions, steps } = found;
  if (ends !== null && !ends.contrast.differs) {
    return [
      `No significant difference in ${metric} between ${client} ${releases[0]} and ${releases.at(-1)}, so there is no change to look for.`,
    ];
  }
  const broken = questions.filter(({ side }) => side === 'broken').map(({ release }) => release);
  const unsure = questions.filter(({ sure }) => !sure).map(({ release }) => release);
  const lines = steps.map((step) => stepText(step, found));
  if (steps.length > 1) lines.unshift(`The change comes in ${steps.length} steps.`);
  if (broken.length > 0)
    lines.push(`Stepped over, because they could not be measured: ${broken.join(', ')}.`);
  if (unsure.length > 0)
    lines.push(`Not sure: the figures of ${unsure.join(', ')} could be on either side; use more --runs.`);
  return lines;
}

/** @param {Bisection['steps'][number]} step @param {Bisection} found */
function stepText({ before, after, code }, found) {
  const { client, releases } = found;
  const figure = figureOf(found);
  const between = releases.slice(releases.indexOf(before) + 1, releases.indexOf(after));
  const figures = `${figure(latest(found, after))}, where ${before} has ${figure(latest(found, before))}`;
  const where =
    between.length === 0
      ? `${client} ${after} is the first release on the other side: ${figures}.`
      : `${client} ${after} is on the other side, and the change may have come with ${between.join(' or ')} already: ${figures}.`;
  const parts = code === null ? '' : mainPartsText(code);
  return parts === '' ? where : `${where} What it does that ${before} did not: ${parts}.`;
}

/** @param {Bisection} found @param {string} release @returns {number} its own figure, where it was measured alone */
function latest({ questions, ends, releases }, release) {
  const own = questions.find((question) => question.release === release)?.medians?.release;
  return own ?? Number(release === releases[0] ? ends?.medians.low : ends?.medians.high);
}

/** @param {Bisection} found @returns {(value: number) => string} */
const figureOf =
  ({ unit }) =>
  (value) =>
    unit === 'µs' ? micro(value) : `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit}`;
