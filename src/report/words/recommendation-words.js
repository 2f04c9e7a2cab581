import { alike } from '../../analysis/alike.js';
import { axesOf } from '../../axes/all-axes.js';
import { mainPartsText } from './code-words.js';
import { capital, joined, rangeText, ratioText, said, spanText, times } from './figures.js';
import { shownWhere } from './region-words.js';

/** @import { ChoiceFinding, Gain } from '../../analysis/types.js' */
/** @import { Axis, AxisAdvice } from '../../axes/types.js' */
/** @import { Context, Words } from './findings.js' */

/** @typedef {Extract<ChoiceFinding, {kind: 'choice'}>} Choice */

/** What to choose, and what it brings. @satisfies {Record<string, Words>} */
export const RECOMMENDATION_WORDS = {
  choice: {
    advice: (/** @type {Choice[]} */ all, context) => {
      const choices = all.filter(({ best }) => best.length > 0);
      const open = all.filter((choice) => !choices.includes(choice));
      const nouns = open.map(({ axis }) => adviceOn(axis, context).noun).join(' and no ');
      return said([
        ...(choices.length === 0 ? [] : choiceTexts(clientFirst(choices), context)),
        nouns && `No ${nouns} is best everywhere: that depends on the rest; see the tables.`,
      ]);
    },
  },
  'server-work': {
    advice: (/** @type {Extract<ChoiceFinding, {kind: 'server-work'}>[]} */ all, context) =>
      all.map((each) => serverWorkText(each, context)),
  },
};

/** @param {Choice[]} choices @param {Context} context */
const choiceTexts = (choices, context) => [
  sentence(choices.map((choice) => choiceText(choice, context)).join('; ')),
  `Operations a second: ${choices.map((choice) => gainText(choice, context)).join('; ')}.`,
];

/** @param {Extract<ChoiceFinding, {kind: 'server-work'}>} work @param {Context} context */
function serverWorkText({ axis, less, more, low, high, shown, pairs, code }, context) {
  const { value } = adviceOn(axis, context);
  const [one, other] = [less, more].map((id) => value(context.cell(id), context.measured));
  const amount = spanText(low.toFixed(2), high.toFixed(2));
  const [server, rival] =
    axis === 'server' ? [one, `of ${other}`] : [`with ${one} the server`, `that it takes with ${other}`];
  const ofAll = [less, more].some((id) => context.cell(id).summary?.bottleneck.serverThreads !== undefined);
  const threads = ofAll ? ' (that of all threads, which also wait for each other at work)' : '';
  const told =
    sentence(`${server} serves a command with ${amount} times the CPU ${rival}`).slice(0, -1) + threads;
  const where = code === undefined ? '' : mainPartsText(code);
  const text = `${told}${partText(shown, pairs)}.`;
  return where === ''
    ? text
    : `${text} ${axis === 'server' ? sentence(other).slice(0, -1) : `With ${other} it`} spends ${where}.`;
}

/** What is told of one client reads on from the choice of a client. @param {Choice[]} choices */
const clientFirst = (choices) =>
  [...choices].sort((a, b) => Number(b.axis === 'client') - Number(a.axis === 'client'));

/** @param {string} text */
const sentence = (text) => `${capital(text)}.`;

/** @param {string} id @param {Context} context @returns {AxisAdvice} */
function adviceOn(id, { measured }) {
  const axis = /** @type {Axis} */ (axesOf(measured).find((each) => each.id === id));
  return /** @type {AxisAdvice} */ (axis.advice);
}

/** @param {Choice} choice @param {Context} context */
function choiceText({ axis, client, examples, apartTimes, gains }, context) {
  const { imperative } = adviceOn(axis, context);
  const todo = [...new Set(examples.map((id) => imperative(context.cell(id), context.measured)))];
  const whose = client === null ? '' : `with ${client}, `;
  const where = shownWhere(gains, context);
  return `${where}${where === '' ? '' : ' '}${whose}${joined(withoutRepeats(todo), 'or')}${todo.length > 1 ? tieText(apartTimes) : ''}`;
}

/** Medians farther apart than this are not called equal: it is not known which is faster. */
const NEARLY_EQUAL = 1.25;

/** @param {number} apartTimes @returns {string} */
const tieText = (apartTimes) =>
  apartTimes < NEARLY_EQUAL
    ? ' (no difference between these was shown)'
    : ` (too noisy to tell these apart, though they look up to ${times(apartTimes)} apart; use more --runs and --starts)`;

/** @param {string[]} texts @returns {string[]} `use redis`, `ioredis`: what all begin with stands in the first alone */
function withoutRepeats([first, ...others]) {
  const words = [first, ...others].map((text) => text.split(' '));
  const last = Math.min(...words.map((each) => each.length)) - 1;
  const differs = words[0].findIndex(
    (word, place) => place === last || words.some((each) => each[place] !== word),
  );
  return [first, ...words.slice(1).map((each) => each.slice(differs).join(' '))];
}

/**
 * @param {Choice} choice @param {Context} context
 * @returns {string} the smallest and the largest gain over the other values, of those that were shown to bring it
 */
function gainText({ axis, client, best, gains, pairs }, context) {
  const losers = alike(gains, ({ loser }) => loser).sort((a, b) => smallest(a) - smallest(b));
  const shown = losers.length > 2 ? [losers[0], losers[losers.length - 1]] : losers;
  // What a server and its settings are called has hyphens of its own.
  const say = axis.startsWith('server') ? String : plain;
  let before = '';
  const texts = shown.map((each) => {
    const winners = joined(
      best.filter((value) => each.some(({ winner }) => winner === value)).map(say),
      'or',
    );
    const subject = winners === before ? '' : ` with ${winners}`;
    before = winners;
    return `${amountText(each)} as many${subject} as with ${say(each[0].loser)}`;
  });
  // A release and a variant are named with their client.
  const whose = client === null || adviceOn(axis, context).ofClient ? '' : `with ${client}, `;
  return `${whose}${texts.join(' and ')}${partText(gains.length, pairs)}`;
}

/** @param {number} shown @param {number} all pairs of cells */
const partText = (shown, all) =>
  shown < all
    ? ` (in ${shown} of ${all} comparisons; the other${all - shown === 1 ? '' : 's'} cannot tell)`
    : '';

/** @param {Gain[]} gains of one choice over one other */
function amountText(gains) {
  if (gains.length === 1) return ratioText(gains[0]);
  const ratios = gains.map(({ ratio }) => ratio);
  return rangeText(Math.min(...ratios), Math.max(...ratios));
}

/** @param {Gain[]} gains */
const smallest = (gains) => Math.min(...gains.map(({ ratio }) => ratio));

/** @param {string} value of an axis */
const plain = (value) => value.replaceAll('-', ' ');
