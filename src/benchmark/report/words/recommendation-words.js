import { axisNamed } from '../../../axes/all-axes.js';
import { clientName } from '../../../axes/cell-names.js';
import { startedCold } from '../../../cold/first-replies.js';
import { capital, intervalText, joined, said, spanOf, times } from '../../../core/report/figures.js';
import { alike } from '../../judge/alike.js';
import { shownWhere } from './where-words.js';

/** @import { Gain } from '../../judge/types.js' */
/** @import { AxisAdvice } from '../../../axes/types.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** @typedef {Of<'choice'>} Choice */

/** What to choose, and what it brings. @satisfies {Words} */
export const RECOMMENDATION_WORDS = {
  choice: { advice: { all: adviceTexts } },
  'server-work': { advice: serverWorkText },
};

/** @param {Choice[]} all @param {Context} context */
function adviceTexts(all, context) {
  // What is said of one client continues the choice of a client.
  const choices = all
    .filter(({ best }) => best.length > 0)
    .sort((a, b) => Number(b.axis === 'client') - Number(a.axis === 'client'));
  const open = all.filter(({ best }) => best.length === 0);
  const nouns = open.map(({ axis }) => adviceOn(axis, context).noun).join(' and no ');
  const places = new Map(choices.map((choice) => [choice, shownWhere(choice.gains, context)]));
  const everywhere = choices.filter((choice) => places.get(choice) === '');
  return said([
    ...(everywhere.length > 0 ? [useText(everywhere, context), `${gainsText(everywhere, context)}.`] : []),
    ...regionTexts(places, context),
    ...codeTexts(choices, context),
    nouns && `No ${nouns} is best everywhere; see the ${isOneGroup(context) ? 'table' : 'grid'}.`,
  ]);
}

/** @param {Context} context */
const isOneGroup = ({ measured: [first, ...others] }) => others.every(({ group }) => group === first.group);

/** @param {Choice[]} choices @param {Context} context @returns {string} `Use ioredis and share one connection.` */
function useText(choices, context) {
  const texts = choices.map((choice) => choiceText(choice, context));
  const isPlain = texts.length === 2 && choices.every(isSingle);
  return `${capital(isPlain ? joined(texts) : texts.join('; '))}.`;
}

/** @param {Choice} choice @returns {boolean} whether it is one value for all clients */
const isSingle = ({ client, best }) => client === null && best.length === 1;

/** @param {Map<Choice, string>} places @param {Context} context @returns {string[]} a line for each place but everywhere */
function regionTexts(places, context) {
  const limited = [...places].filter(([, where]) => where !== '');
  return alike(limited, ([, where]) => where).map((all) => {
    const own = all.map(([choice]) => choice);
    const texts = own.map((choice) => choiceText(choice, context));
    return `${capital(all[0][1])}: ${texts.join('; ')}. ${gainsText(own, context)}.`;
  });
}

const MOST_CODE = 2;

/** @param {Choice[]} choices @param {Context} context @returns {string[]} how to get the variants that are advised */
function codeTexts(choices, { cell }) {
  const texts = choices.flatMap(({ axis, examples }) =>
    examples.flatMap((id) => {
      const { words } = cell(id);
      if (axis !== 'client' && axis !== 'variant') return [];
      const name = clientName({ ...cell(id), copy: 1 });
      if (words?.code) return `${name} is ${words.code}`;
      // What to do about a variant is its advice already.
      return axis === 'client' && words?.variant ? `For ${name}, ${words.variant}.` : [];
    }),
  );
  return texts.length > MOST_CODE ? [] : [...new Set(texts)];
}

/** @param {Of<'server-work'>} work @param {Context} context */
function serverWorkText({ axis, less, more, low, high, shown, pairs }, context) {
  const { value } = adviceOn(axis, context);
  const [one, other] = [less, more].map((id) => value(context.cell(id), context.measured));
  const amount = spanOf((ratio) => `${ratio.toFixed(2)}x`, [low, high]);
  const [server, rival] = axis === 'server' ? [one, other] : [`with ${one} the server`, `with ${other}`];
  const ofAll = [less, more].some((id) => context.cell(id).summary?.bottleneck.serverThreads !== undefined);
  const threads = ofAll ? ' (all threads, including the time they spend waiting for each other)' : '';
  const part = shown < pairs ? ` (${partText(shown, pairs)})` : '';
  return `${capital(server)} uses ${amount} as much CPU per command as ${rival}${threads}${part}.`;
}

/** @param {string} id @param {Context} context */
const adviceOn = (id, { measured }) => /** @type {AxisAdvice} */ (axisNamed(id, measured).advice);

/** @param {Choice} choice @param {Context} context */
function choiceText({ axis, client, best, examples, apartTimes }, context) {
  const { imperative, value } = adviceOn(axis, context);
  const texts = examples.map((id, index) => {
    const cell = context.cell(id);
    // What is best may be no value, but a cell that has it with other choices.
    return value(cell, context.measured) === best[index]
      ? imperative(cell, context.measured)
      : `use ${best[index]}`;
  });
  const todo = [...new Set(texts)];
  const whose = client === null ? '' : `with ${client}, `;
  return `${whose}${joined(withoutRepeats(todo), 'or')}${todo.length > 1 ? tieText(apartTimes, context) : ''}`;
}

/** Medians farther apart than this are not called equal. */
const NEARLY_EQUAL = 1.25;

/** @param {number} apartTimes @param {Context} context */
function tieText(apartTimes, { measured, settings }) {
  if (apartTimes < NEARLY_EQUAL) return ' (no significant difference)';
  const more = settings.races
    ? 'a longer --budget'
    : startedCold(measured)
      ? 'more --runs'
      : 'more --runs and --starts';
  return ` (up to ${times(apartTimes)} apart, but too noisy to distinguish; use ${more})`;
}

/** @param {string[]} texts @returns {string[]} `use redis`, `ioredis`: what all begin with stands in the first alone */
function withoutRepeats([first, ...others]) {
  const words = [first, ...others].map((text) => text.split(' '));
  const last = Math.min(...words.map((each) => each.length)) - 1;
  const differs = words[0].findIndex(
    (word, index) => index === last || words.some((each) => each[index] !== word),
  );
  return [first, ...words.slice(1).map((each) => each.slice(differs).join(' '))];
}

/** Axes whose values have names in words. */
const IN_WORDS = ['scenario', 'way', 'replies', 'encode'];

/**
 * What several choices bring: `1.7x faster than ioredis (1.6x to 1.9x), 2.0x faster than pool of 3`, with one interval.
 * @param {Choice[]} choices @param {Context} context
 */
function gainsText(choices, context) {
  const isPlain = choices.every(isSingle);
  const isAdvised = followerOf(choices, context);
  const text = choices
    .map((choice, index) => gainText(choice, isAdvised, context, { inFull: index === 0, isPlain }))
    .join(isPlain ? ', ' : '; ');
  // Other names are written as they are typed.
  return IN_WORDS.includes(choices[0].axis) || text.startsWith('with ') ? capital(text) : text;
}

/**
 * The smallest and the largest gain over other values.
 * @param {Choice} choice @param {(id: string) => boolean} isAdvised @param {Context} context
 * @param {{inFull: boolean, isPlain: boolean}} form whether the first gain has its interval; whether there is no subject
 */
function gainText({ axis, client, best, gains, pairs }, isAdvised, context, { inFull, isPlain }) {
  const advised = gains.filter(({ better }) => isAdvised(better));
  const losers = alike(advised.length > 0 ? advised : gains, ({ loser }) => loser);
  const sorted = losers.sort((a, b) => smallest(a) - smallest(b));
  const shown = sorted.length > 2 ? [sorted[0], sorted[sorted.length - 1]] : sorted;
  const { ofClient } = adviceOn(axis, context);
  // Other names have hyphens of their own.
  const say = axis === 'scenario' ? plain : String;
  let subject = '';
  const texts = shown.map((each, place) => {
    const winning = each.map(({ winner }) => winner);
    const winners = best.filter((value) => winning.includes(value)).map(say);
    const own = isPlain ? '' : `${joined(winners)} ${winners.length > 1 ? 'are' : 'is'} `;
    const notes = said([
      inFull && place === 0 && each.length === 1 && intervalText(each[0]),
      place === shown.length - 1 && gains.length < pairs && partText(gains.length, pairs),
    ]);
    const inBrackets = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
    const isSame = own === subject;
    subject = own;
    const text = `${isSame ? '' : own}${spanOf(times, each, ({ ratio }) => ratio)} faster than ${say(each[0].loser)}${inBrackets}`;
    // Subjects may be lists themselves.
    return place === 0 ? text : `${isSame ? ', ' : '; '}${text}`;
  });
  // A release and a variant are named with their client.
  const whose = client === null || ofClient ? '' : `with ${client}, `;
  return `${whose}${texts.join('')}`;
}

/** @param {Choice[]} choices @param {Context} context @returns {(id: string) => boolean} whether a cell follows all of the advice */
function followerOf(choices, context) {
  const { cell, measured } = context;
  // Once, as there may be many gains.
  const rules = choices.map(({ axis, ...choice }) => ({ ...choice, advice: adviceOn(axis, context) }));
  return (id) =>
    rules.every(
      ({ client, best, advice }) =>
        (client !== null && client !== cell(id).client) || best.includes(advice.value(cell(id), measured)),
    );
}

/** @param {number} shown @param {number} all pairs of cells */
const partText = (shown, all) => `significant in ${shown} of ${all} comparisons`;

/** @param {Gain[]} gains */
const smallest = (gains) => Math.min(...gains.map(({ ratio }) => ratio));

/** @param {string} value of an axis */
const plain = (value) => value.replaceAll('-', ' ');
