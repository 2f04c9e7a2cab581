import { axesOf } from '../../axes/all-axes.js';
import { sameBut } from '../../axes/ids.js';
import { everyPair } from '../alike.js';
import { about } from './about.js';

/** @import { Axis, AxisAdvice } from '../../axes/types.js' */
/** @import { Contrast, Finding, Gain } from '../types.js' */
/** @import { CellContrasts, MeasuredCell } from './compare-group.js' */

/** @typedef {Axis & {advice: AxisAdvice}} Choice an axis that advice decides */
/** @typedef {{cell: MeasuredCell, between: CellContrasts['between']}} Candidate */
/** @typedef {Extract<Finding, {kind: 'choice'}>} Decision */

/**
 * What the figures decide, one axis after the other, because the best value of one may depend on another:
 * each is judged among the cells that follow the advice on the axes before it.
 * @param {Candidate[]} compared
 * @returns {{decisions: Decision[], open: Decision[]}} `open` are those in which no value is best everywhere
 */
export function decide(compared) {
  const cells = compared.map(({ cell }) => cell);
  let left = compared;
  /** @type {Decision[]} */
  const decisions = [];
  /** @type {Decision[]} */
  const open = [];
  for (const choice of choicesOf(cells)) {
    const question = questionOn(choice, cells);
    const verdicts = verdictsOn(question, left);
    if (verdicts.some(({ best }) => best.length === 0)) open.push({ ...decisionOn(choice), ...about(cells) });
    const useful = verdicts.filter(({ best, gains }) => best.length > 0 && gains.length > 0);
    decisions.push(...useful);
    left = left.filter(({ cell }) =>
      useful.every(
        ({ client, best }) =>
          (client !== null && client !== cell.client) || best.includes(question.labelOf(cell)),
      ),
    );
  }
  return { decisions: decisions.filter((decision) => !isImplied(decision, decisions)), open };
}

/** @param {Choice} choice @returns {Decision} without anything that is best */
const decisionOn = ({ id }) => ({
  kind: 'choice',
  ...about([]),
  axis: id,
  client: null,
  best: [],
  examples: [],
  apartTimes: 1,
  gains: [],
  pairs: 0,
});

/**
 * Which variant of a client is best needs no saying where that variant is the client that was chosen.
 * @param {Decision} decision @param {Decision[]} all
 */
const isImplied = ({ axis, client, best }, all) =>
  client !== null &&
  all.some(
    (other) =>
      other.axis === 'client' && axis === 'variant' && best.every((value) => other.best.includes(value)),
  );

/** @param {MeasuredCell[]} cells @returns {Choice[]} in the order in which they are decided */
const choicesOf = (cells) =>
  axesOf(cells)
    .flatMap((axis) => (axis.advice ? /** @type {Choice} */ (axis) : []))
    .sort((a, b) => a.advice.order - b.advice.order);

/**
 * @typedef {object} Question
 * @property {Choice} choice
 * @property {(cell: MeasuredCell) => string} labelOf the cell's value of it, as named beside all cells
 * @property {(cell: MeasuredCell) => string} restOf equal for cells that differ in it alone
 */

/** @param {Choice} choice @param {MeasuredCell[]} cells @returns {Question} */
function questionOn(choice, cells) {
  const values = new Map(cells.map((cell) => [cell, choice.advice.value(cell, cells)]));
  const restOf = sameBut([choice.id], cells);
  const rests = new Map(cells.map((cell) => [cell, restOf(cell)]));
  return {
    choice,
    labelOf: (cell) => values.get(cell) ?? '',
    restOf: (cell) => rests.get(cell) ?? '',
  };
}

/**
 * One decision for all clients, or one each where different values suit them.
 * @param {Question} question @param {Candidate[]} candidates
 * @returns {Decision[]} none where there is nothing to choose
 */
function verdictsOn(question, candidates) {
  const { id, advice } = question.choice;
  const whole = advice.ofClient ? null : judge(question, null, candidates);
  if (whole && (whole.best.length > 0 || id === 'client')) return [whole];
  const clients = [...new Set(candidates.map(({ cell }) => cell.client))];
  return clients.flatMap((client) => judge(question, client, candidates) ?? []);
}

/**
 * @param {Question} question
 * @param {string | null} client to look at alone
 * @param {Candidate[]} candidates
 * @returns {Decision | null} null where no two cells can be compared
 */
function judge(question, client, candidates) {
  const { choice, labelOf } = question;
  const looked = client === null ? candidates : candidates.filter(({ cell }) => cell.client === client);
  const pairs = twins(question, looked);
  if (pairs.length === 0) return null;
  const gains = pairs.flatMap((pair) => gainOf(question, pair) ?? []);
  // An example of each value.
  const values = new Map(pairs.flat().map(({ cell }) => [labelOf(cell), cell]));
  const best = [...values.keys()].filter((value) => gains.every(({ loser }) => loser !== value));
  const isBest = (/** @type {Candidate} */ { cell }) => best.includes(labelOf(cell));
  const own = gains.filter(({ winner }) => best.includes(winner));
  return {
    ...decisionOn(choice),
    cells: [...new Set(own.flatMap(({ better, worse }) => [better, worse]))],
    client,
    best,
    examples: best.map((value) => values.get(value)?.id ?? ''),
    apartTimes: Math.max(1, ...pairs.filter((pair) => pair.every(isBest)).map(apartTimesOf)),
    gains: own,
    pairs: pairs.filter(([a, b]) => isBest(a) !== isBest(b)).length,
  };
}

/** @param {[Candidate, Candidate]} pair */
function apartTimesOf([a, b]) {
  const { ratio } = /** @type {Contrast} */ (a.between(a.cell.id, b.cell.id));
  return Math.max(ratio, 1 / ratio);
}

/**
 * @param {Question} question @param {Candidate[]} candidates
 * @returns {[Candidate, Candidate][]} all pairs that differ in this axis alone and have enough runs to compare
 */
const twins = ({ labelOf, restOf }, candidates) =>
  everyPair(candidates).filter(
    ([a, b]) =>
      restOf(a.cell) === restOf(b.cell) &&
      labelOf(a.cell) !== labelOf(b.cell) &&
      a.between(a.cell.id, b.cell.id) !== null,
  );

/**
 * @param {Question} question @param {[Candidate, Candidate]} pair
 * @returns {Gain | null} null where no difference can be claimed
 */
function gainOf({ labelOf }, [a, b]) {
  const contrast = a.between(a.cell.id, b.cell.id);
  if (!contrast?.differs) return null;
  const [better, worse] = contrast.ratio > 1 ? [a.cell, b.cell] : [b.cell, a.cell];
  const { ratio, low, high, pAdjusted } = /** @type {Contrast} */ (a.between(better.id, worse.id));
  const [winner, loser] = [labelOf(better), labelOf(worse)];
  return { winner, loser, better: better.id, worse: worse.id, ratio, low, high, pAdjusted };
}
