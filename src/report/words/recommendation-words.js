import { axesOf } from '../../axes/list.js';
import { ratioText, times } from './figures.js';

/**
 * @import { ChoiceFinding, Gain } from '../../analysis/types.js'
 * @import { Axis, AxisAdvice } from '../../axes/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** @typedef {Extract<ChoiceFinding, {kind: 'choice'}>} Choice */

/** What to choose, and what it brings. @satisfies {Record<string, Words>} */
export const RECOMMENDATION_WORDS = {
  choice: {
    advice: (/** @type {Choice[]} */ choices, context) => [
      sentence(choices.map((choice) => choiceText(choice, context)).join('; ')),
      `Operations a second: ${choices.map(gainText).join('; ')}.`,
    ],
  },
  'open-choice': {
    advice: (/** @type {Extract<ChoiceFinding, {kind: 'open-choice'}>[]} */ open, context) => [
      sentence(
        open
          .map(
            ({ axis }) => `which ${adviceOn(axis, context).noun} is fastest depends on the rest, see below`,
          )
          .join('; '),
      ),
    ],
  },
};

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** @param {string} id @param {Context} context @returns {AxisAdvice} */
function adviceOn(id, { measured }) {
  const axis = /** @type {Axis} */ (axesOf(measured).find((each) => each.id === id));
  return /** @type {AxisAdvice} */ (axis.advice);
}

/** @param {Choice} choice @param {Context} context */
function choiceText({ axis, client, examples, apartTimes }, context) {
  const { imperative } = adviceOn(axis, context);
  const todo = [...new Set(examples.map((id) => imperative(context.cell(id), context.measured)))];
  const tie = todo.length > 1 ? tieText(apartTimes) : '';
  return `${client === null ? '' : `with ${client}, `}${todo.join(' or ')}${tie}`;
}

/** Medians that are farther apart are not equal: it is not known which is faster. */
const NEARLY_EQUAL = 1.25;

/** @param {number} apartTimes @returns {string} */
const tieText = (apartTimes) =>
  apartTimes < NEARLY_EQUAL
    ? ' (no difference between these that this machine can show)'
    : ` (too noisy to tell these apart, though their medians differ up to ${times(apartTimes)}; use more --runs)`;

/**
 * @param {Choice} choice
 * @returns {string} the smallest and the largest gain over what was not chosen
 */
function gainText({ best, gains, pairs }) {
  const losers = [...new Set(gains.map(({ loser }) => loser))]
    .map((loser) => ({ loser, gains: gains.filter((gain) => gain.loser === loser) }))
    .sort((a, b) => smallest(a.gains) - smallest(b.gains));
  const shown = losers.length > 2 ? [losers[0], losers[losers.length - 1]] : losers;
  const amounts = shown.map((each) => `${amountText(each.gains)} those of ${plain(each.loser)}`);
  const part = gains.length < pairs ? ` (shown in ${gains.length} of ${pairs} comparisons)` : '';
  return `${best.map(plain).join(' or ')} ${amounts.join(' and ')}${part}`;
}

/** @param {Gain[]} gains of one choice over one other */
function amountText(gains) {
  if (gains.length === 1) return ratioText(gains[0]);
  const ratios = gains.map(({ ratio }) => ratio);
  return `${times(Math.min(...ratios))} to ${times(Math.max(...ratios))}`;
}

/** @param {Gain[]} gains */
const smallest = (gains) => Math.min(...gains.map(({ ratio }) => ratio));

/** @param {string} value of an axis */
const plain = (value) => value.replaceAll('-', ' ');
