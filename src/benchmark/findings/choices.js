import { axesOf } from '../../axes/all-axes.js';
import { clientName, nameChoices } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';
import { inverse } from '../../core/statistics/contrasts.js';
import { alike, everyPair } from '../judge/alike.js';
import { about } from './about.js';
import { NO_TIE } from './group-findings.js';

/** @import { Axis, AxisAdvice } from '../../axes/types.js' */
/** @import { Contrast, Finding, Gain } from '../judge/types.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {Axis & {advice: AxisAdvice}} Choice an axis that advice decides */
/** @typedef {{cell: MeasuredCell, between: ContrastedGroup['between']}} Candidate */
/** @typedef {Extract<Finding, {kind: 'choice'}>} Decision */

/**
 * Decides one axis after the other, each among the cells that follow the advice so far, because the best value of one may depend
 * on another.
 * @param {ContrastedGroup[]} groups @returns {{decisions: Decision[], open: Decision[]}} `open`: no value is best everywhere
 */
export function decide(groups) {
  const cells = groups.flatMap(({ compared }) => compared);
  let left = groups.flatMap(({ compared, between }) => compared.map((cell) => ({ cell, between })));
  /** @type {Decision[]} */
  const decisions = [];
  /** @type {Decision[]} */
  const open = [];
  for (const choice of choicesOf(cells)) {
    const question = questionOn(choice, cells, left);
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

/** @param {Choice} choice @returns {Decision} without a best value */
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

/** If the client was chosen by variant, the best variant needs no saying. @param {Decision} decision @param {Decision[]} all */
const isImplied = ({ axis, client, best }, all) =>
  client !== null &&
  all.some(
    (other) =>
      other.axis === 'client' && axis === 'variant' && best.every((value) => other.best.includes(value)),
  );

/** @param {MeasuredCell[]} cells @returns {Choice[]} in the order of decision */
const choicesOf = (cells) =>
  axesOf(cells)
    .flatMap((axis) => (axis.advice ? /** @type {Choice} */ (axis) : []))
    .sort((a, b) => a.advice.order - b.advice.order);

/**
 * `labelOf`: its value, or the name of a rival; `areTwins`: whether two differ in it alone, or one of them is a rival
 * @typedef {ReturnType<typeof questionOn>} Question
 */

/** @param {Choice} choice @param {MeasuredCell[]} cells @param {Candidate[]} left */
function questionOn(choice, cells, left) {
  const { advice } = choice;
  const [restOf, besideClient] = [sameBut([choice.id], cells), sameBut(['client'], cells)];
  const facts = new Map(
    cells.map((cell) => {
      const around = advice.ofClient ? `${cell.client} ${besideClient(cell)}` : cell.group;
      return [cell, { value: advice.value(cell, cells), rest: restOf(cell), around }];
    }),
  );
  /** @param {MeasuredCell} a @param {MeasuredCell} b @param {'rest' | 'around'} shared */
  const differ = (a, b, shared) => {
    const [one, other] = [facts.get(a), facts.get(b)];
    return one?.[shared] === other?.[shared] && one?.value !== other?.value;
  };
  // Values that some cell is shown to be faster without: others stay, whatever has them.
  const slower = new Set(
    everyPair(left).flatMap(([{ cell: a, between }, { cell: b }]) => {
      const contrast = differ(a, b, 'rest') ? between(a.id, b.id) : null;
      return contrast?.differs ? [facts.get(contrast.ratio > 1 ? b : a)?.value] : [];
    }),
  );
  const mayGo = left.filter(({ cell }) => slower.has(facts.get(cell)?.value));
  const rivals = rivalsIn(mayGo, left, advice.ofClient ? clientName : nameChoices(cells), differ);
  return {
    choice,
    labelOf: (/** @type {MeasuredCell} */ cell) => rivals.get(cell) ?? String(facts.get(cell)?.value),
    /** @type {(a: MeasuredCell, b: MeasuredCell) => boolean} */
    areTwins: (a, b) => differ(a, b, rivals.has(a) || rivals.has(b) ? 'around' : 'rest'),
  };
}

/**
 * What is as fast as any and would go with its value, though nothing differs from it in that alone: `redis@6:tuned`, where
 * `redis@5` is faster than `redis@6`, and `redis@5:tuned` was not measured.
 * @param {Candidate[]} mayGo @param {Candidate[]} left @param {Map<string, string> | typeof clientName} names
 * @param {(a: MeasuredCell, b: MeasuredCell, shared: 'rest' | 'around') => boolean} differ
 * @returns {Map<MeasuredCell, string>} with their names
 */
function rivalsIn(mayGo, left, names, differ) {
  const nameOf = (/** @type {Candidate} */ { cell }) =>
    names instanceof Map ? String(names.get(cell.id)) : names(cell);
  const isRival = (/** @type {Candidate} */ { cell, between }) =>
    left.some((other) => differ(cell, other.cell, 'around')) &&
    left.every((other) => {
      if (differ(cell, other.cell, 'rest')) return false;
      const isFaster = other.cell.summary.opsPerSecond > cell.summary.opsPerSecond;
      if (!isFaster || !differ(cell, other.cell, 'around')) return true;
      return (
        !between(cell.id, other.cell.id)?.differs &&
        other.cell.summary.opsPerSecond < NO_TIE * cell.summary.opsPerSecond
      );
    });
  const found = alike(mayGo, nameOf).filter((own) => own.every(isRival));
  return new Map(found.flat().map((each) => [each.cell, nameOf(each)]));
}

/** One for all clients, or one each. @param {Question} question @param {Candidate[]} candidates @returns {Decision[]} */
function verdictsOn(question, candidates) {
  const { id, advice } = question.choice;
  const whole = advice.ofClient ? null : judge(question, null, candidates);
  if (whole && (whole.best.length > 0 || id === 'client')) return [whole];
  const clients = [...new Set(candidates.map(({ cell }) => cell.client))];
  return clients.flatMap((client) => judge(question, client, candidates) ?? []);
}

/** @param {Question} question @param {string | null} client null for all @param {Candidate[]} candidates @returns {Decision | null} */
function judge(question, client, candidates) {
  const { choice, labelOf } = question;
  const looked = client === null ? candidates : candidates.filter(({ cell }) => cell.client === client);
  const pairs = twins(question, looked);
  if (pairs.length === 0) return null;
  const gains = pairs.filter(({ contrast }) => contrast.differs).map((pair) => gainOf(question, pair));
  const values = new Map(pairs.flatMap(({ cells }) => cells.map((cell) => [labelOf(cell), cell])));
  const best = [...values.keys()].filter((value) => gains.every(({ loser }) => loser !== value));
  const isBest = (/** @type {MeasuredCell} */ cell) => best.includes(labelOf(cell));
  const ties = pairs.filter(({ cells }) => cells.every(isBest));
  const own = gains.filter(({ winner }) => best.includes(winner));
  return {
    ...decisionOn(choice),
    cells: [...new Set(own.flatMap(({ better, worse }) => [better, worse]))],
    client,
    best,
    examples: best.map((value) => values.get(value)?.id ?? ''),
    apartTimes: Math.max(1, ...ties.map(({ contrast: { ratio } }) => Math.max(ratio, 1 / ratio))),
    gains: own,
    pairs: pairs.filter(({ cells: [a, b] }) => isBest(a) !== isBest(b)).length,
  };
}

/** @typedef {{cells: [MeasuredCell, MeasuredCell], contrast: Contrast}} Twins the first over the second */

/** Pairs that differ in this axis alone. @param {Question} question @param {Candidate[]} candidates @returns {Twins[]} */
const twins = ({ areTwins }, candidates) =>
  everyPair(candidates).flatMap(([{ cell: a, between }, { cell: b }]) => {
    if (!areTwins(a, b)) return [];
    const contrast = between(a.id, b.id);
    return contrast ? [{ cells: [a, b], contrast }] : [];
  });

/** @param {Question} question @param {Twins} twins that differ @returns {Gain} */
function gainOf({ labelOf }, { cells, contrast }) {
  const [better, worse] = contrast.ratio > 1 ? cells : cells.toReversed();
  const { ratio, low, high, pAdjusted } = contrast.ratio > 1 ? contrast : inverse(contrast);
  const [winner, loser] = [labelOf(better), labelOf(worse)];
  return { winner, loser, better: better.id, worse: worse.id, ratio, low, high, pAdjusted };
}
