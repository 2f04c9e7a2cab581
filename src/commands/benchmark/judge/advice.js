import { axesOf, sameBut } from '../../../axes/all-axes.js';
import { clientName, nameChoices } from '../../../axes/cell-names.js';
import { groupBy, pairsOf } from '../../../collections.js';
import { MEASURING } from '../../../method.js';
import { inverse, verdictOf } from '../../../statistics/contrasts.js';
import { reach } from '../../../statistics/interval.js';
import { differingPairs, NO_TIE, showsDifference, timesBehind } from './compare-group.js';
import { about, aheadThoughCold, noConclusion, noiseFloorOf } from './no-verdict.js';

/** @import { Decision, Interval, NoVerdict } from './types.js' */
/** @import { ComparedGroup, ContrastedGroup, MeasuredCell } from './compare-group.js' */
/** @import { Axis, AxisAdvice } from '../../../axes/types.js' */
/** @import { Contrast, Verdict } from '../../../statistics/contrasts.js' */

/** @typedef {{decisions: Decision[], winners: MeasuredCell[], noVerdicts: NoVerdict[]}} Advice `winners`: where a choice was shown to matter */

/** What to choose, or why nothing is recommended. @type {(groups: ComparedGroup[]) => Advice} */
export function adviceOn(groups) {
  const nothing = noVerdictIn(groups);
  if (nothing !== null) return { decisions: [], winners: [], noVerdicts: [nothing] };
  const decisions = groups.flatMap(decide);
  const isShown = groups.some(showsDifference);
  const copies = isShown ? copiesApart(groups) : null;
  if (isShown && copies === null)
    return { decisions, winners: groups.flatMap(({ ranked }) => ranked.slice(0, 1)), noVerdicts: [] };
  return { decisions, winners: [], noVerdicts: [copies ?? noDifference(groups)] };
}

/** @param {ComparedGroup[]} groups @returns {NoVerdict | null} why nothing can be decided */
function noVerdictIn(groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  if (measured.length === 0) return noConclusion('no-result', []);
  const ahead = aheadThoughCold(groups);
  if (ahead.length > 0) return noConclusion('ahead-though-cold', ahead);
  if (groups.every(({ compared }) => compared.length < 2))
    return noConclusion('nothing-to-compare', measured);
  const isTested = groups.some(({ tested }) => tested.comparisons > 0);
  return isTested ? null : ofOneStart(groups);
}

/** @param {ComparedGroup[]} groups @param {string | null} [group] the one that it is about @returns {NoVerdict} */
export const ofOneStart = (groups, group = null) => ({
  reason: 'one-start',
  ...about(
    groups.flatMap(({ ranked }) => ranked),
    group,
  ),
  farthestApartTimes: farthestIn(groups),
});

/** @type {(groups: ComparedGroup[]) => NoVerdict} */
function noDifference(groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  const tellsApart = Math.max(...groups.map(({ tested }) => noiseFloorOf(tested)));
  const isKnown = tellsApart > 0 && Number.isFinite(tellsApart);
  const scatter = { ...scatterOf(measured), ...(isKnown && { tellsApart }) };
  const areTied = groups.every(({ comparison: { ranking } }) =>
    ranking.every(({ verdict }) => verdict === null || verdict === 'tied'),
  );
  return areTied
    ? { reason: 'no-difference', ...about(measured), ...scatter }
    : { reason: 'too-noisy', ...about(measured), farthestApartTimes: farthestIn(groups), ...scatter };
}

/** @param {ComparedGroup[]} groups @returns {number} how far the slowest cell seems to be behind the first of its group */
const farthestIn = (groups) =>
  Math.max(...groups.flatMap(({ comparison }) => comparison.ranking.map(timesBehind)));

/** @param {ComparedGroup[]} groups @returns {NoVerdict | null} null if cells differ in a choice */
function copiesApart(groups) {
  const pairs = groups.flatMap(differingPairs);
  const cells = [...new Set(pairs.flat())];
  const choicesOf = sameBut([], cells);
  if (pairs.some(([a, b]) => choicesOf(a) !== choicesOf(b))) return null;
  const apart = pairs.map((pair) => {
    const [a, b] = pair.map(({ summary }) => summary.opsPerSecond);
    return Math.max(a / b, b / a);
  });
  return { reason: 'copies-differ', ...about(cells), mostTimes: Math.max(...apart) };
}

/** `widestReachShare`: the largest ± of a cell. @param {MeasuredCell[]} cells at least one with two runs */
function scatterOf(cells) {
  const reaches = cells.flatMap(({ summary: { intervals, opsPerSecond } }) =>
    intervals.opsPerSecond ? [reach(intervals.opsPerSecond, opsPerSecond)] : [],
  );
  const mostRuns = Math.max(...cells.map(({ summary }) => summary.runs));
  return { mostRuns, widestReachShare: Math.max(...reaches) };
}

/** @typedef {Axis & {advice: AxisAdvice}} Choice an axis that the user decides */
/**
 * Decides one axis after the other, each among the cells that follow what was decided so far, because the best value of one may
 * depend on another.
 * @param {ContrastedGroup} group @returns {Decision[]} of each choice that varies
 */
export function decide(group) {
  const { compared } = group;
  let left = compared;
  /** @type {Decision[]} */
  const decisions = [];
  for (const choice of choicesOf(compared)) {
    const question = questionOn(choice, group, left);
    const verdicts = verdictsOn(question, left);
    // Where what was decided leaves nothing that differs in this, all cells say what it matters.
    if (verdicts.length === 0) {
      decisions.push(...verdictsOn(questionOn(choice, group, compared), compared));
      continue;
    }
    const useful = verdicts.filter(({ best, gains }) => best.length > 0 && gains.length > 0);
    decisions.push(...verdicts);
    left = left.filter((cell) => {
      const asked = useful.filter(({ client }) => client === null || client === cell.client);
      return asked.every(({ best }) => best.some(({ value }) => value === question.labelOf(cell)));
    });
  }
  return decisions.filter((decision, place) => !decisions.slice(0, place).some(saysTheSame(decision)));
}

/** @type {(decision: Decision) => (other: Decision) => boolean} */
const saysTheSame = (decision) => (other) =>
  (decision.client === null || other.client === null || decision.client === other.client) &&
  [decision.best, decision.behind].every((values, place) => {
    const others = [other.best, other.behind][place].map(({ value }) => value);
    return values.length === others.length && values.every(({ value }) => others.includes(value));
  });

/** @param {Axis} axis @returns {axis is Choice} */
const isChoice = (axis) => axis.advice !== undefined;

/** @param {MeasuredCell[]} cells @returns {Choice[]} in the order of decision */
const choicesOf = (cells) =>
  axesOf(cells)
    .filter(isChoice)
    .sort((a, b) => a.advice.order - b.advice.order);

/**
 * `labelOf`: its value, or the name of a rival; `areTwins`: whether two differ in it alone, or one of them is a rival
 * @typedef {ReturnType<typeof questionOn>} Question
 */

/** @param {Choice} choice @param {ContrastedGroup} group @param {MeasuredCell[]} left */
function questionOn(choice, { compared: cells, between }, left) {
  const { advice } = choice;
  const [restOf, besideClient] = [sameBut([choice.id], cells), sameBut(['client'], cells)];
  const facts = new Map(
    cells.map((cell) => {
      const around = advice.ofClient ? `${cell.client} ${besideClient(cell)}` : '';
      const value = advice.value(cell, cells);
      return [cell, { value, label: advice.label?.(cell, cells) ?? value, rest: restOf(cell), around }];
    }),
  );
  /** @param {MeasuredCell} a @param {MeasuredCell} b @param {'rest' | 'around'} shared */
  const differ = (a, b, shared) => {
    const [one, other] = [facts.get(a), facts.get(b)];
    return one?.[shared] === other?.[shared] && one?.value !== other?.value;
  };
  // What some cell is shown to be faster without: others stay, whatever has them.
  const slower = new Set(
    pairsOf(left).flatMap(([a, b]) => {
      const contrast = differ(a, b, 'rest') ? between(a.id, b.id) : null;
      return contrast?.differs ? [facts.get(contrast.ratio > 1 ? b : a)?.label] : [];
    }),
  );
  const mayGo = left.filter((cell) => slower.has(facts.get(cell)?.label));
  const names = advice.ofClient ? null : nameChoices(cells);
  const nameOf = (/** @type {MeasuredCell} */ cell) => names?.get(cell.id) ?? clientName(cell);
  const rivals = rivalsIn(mayGo, left, between, nameOf, differ);
  return {
    choice,
    between,
    valueIn: (/** @type {MeasuredCell} */ cell) => facts.get(cell)?.value,
    labelOf: (/** @type {MeasuredCell} */ cell) => rivals.get(cell) ?? String(facts.get(cell)?.label),
    /** @type {(a: MeasuredCell, b: MeasuredCell) => boolean} */
    areTwins: (a, b) => differ(a, b, rivals.has(a) || rivals.has(b) ? 'around' : 'rest'),
  };
}

/**
 * What is as fast as any and would go with its value, though nothing differs from it in that alone: `redis@6:tuned`, where
 * `redis@5` is faster than `redis@6`, and `redis@5:tuned` was not measured.
 * @param {MeasuredCell[]} mayGo @param {MeasuredCell[]} left @param {ContrastedGroup['between']} between
 * @param {(cell: MeasuredCell) => string} nameOf @param {(a: MeasuredCell, b: MeasuredCell, shared: 'rest' | 'around') => boolean} differ
 * @returns {Map<MeasuredCell, string>} with their names
 */
function rivalsIn(mayGo, left, between, nameOf, differ) {
  const isRival = (/** @type {MeasuredCell} */ cell) =>
    left.some((other) => differ(cell, other, 'around')) &&
    left.every((other) => {
      if (differ(cell, other, 'rest')) return false;
      const isFaster = other.summary.opsPerSecond > cell.summary.opsPerSecond;
      if (!isFaster || !differ(cell, other, 'around')) return true;
      return (
        verdictOf(between(cell.id, other.id)) !== 'slower' &&
        other.summary.opsPerSecond < NO_TIE * cell.summary.opsPerSecond
      );
    });
  const found = groupBy(mayGo, nameOf).filter((named) => named.every(isRival));
  return new Map(found.flat().map((cell) => [cell, nameOf(cell)]));
}

/** One for all clients, or one each. @param {Question} question @param {MeasuredCell[]} cells */
function verdictsOn(question, cells) {
  const { id, advice } = question.choice;
  const whole = advice.ofClient ? null : judge(question, null, cells);
  if (whole !== null) {
    const isContrary = leansAgainst(question, whole.best, cells);
    if (id === 'client')
      return [isContrary ? { ...whole, best: [], among: null, depends: true, behind: [], gains: [] } : whole];
    if (whole.best.length > 0 && !isContrary) return [whole];
  }
  return groupBy(cells, ({ client }) => client).flatMap(
    (ofClient) => judge(question, ofClient[0].client, ofClient) ?? [],
  );
}

/**
 * Whether an undecided pair leans to a value that was beaten elsewhere: one answer for all would be wrong for some.
 * @param {Question} question @param {{value: string}[]} best @param {MeasuredCell[]} cells
 */
function leansAgainst({ between, labelOf, areTwins }, best, cells) {
  const isBest = (/** @type {MeasuredCell} */ cell) => best.some(({ value }) => value === labelOf(cell));
  return pairsOf(cells).some((pair) => {
    const contrast = areTwins(...pair) ? between(pair[0].id, pair[1].id) : null;
    if (!contrast || contrast.differs) return false;
    const [faster, slower] = contrast.ratio > 1 ? pair : pair.toReversed();
    return isBest(slower) && !isBest(faster) && upwards(contrast).ratio >= MEASURING.tie;
  });
}

/** What is known of several together is what is known least. @type {Verdict[]} */
const LEAST = ['not measured', 'not decided', 'tied'];

/**
 * @param {Question} question
 * @param {string | null} client null for all
 * @param {MeasuredCell[]} cells
 * @returns {Decision | null} null where nothing differs in that alone
 */
function judge({ choice, between, valueIn, labelOf, areTwins }, client, cells) {
  const twins = pairsOf(cells).filter((pair) => areTwins(...pair));
  const pairs = twins.flatMap((pair) => {
    const contrast = between(pair[0].id, pair[1].id);
    return contrast ? [{ pair, contrast }] : [];
  });
  if (pairs.length === 0) return null;
  const differing = pairs
    .filter(({ contrast }) => contrast.differs)
    .map(({ pair, contrast }) => {
      const [better, worse] = contrast.ratio > 1 ? pair : pair.toReversed();
      const [winner, loser] = [labelOf(better), labelOf(worse)];
      const { pAdjusted } = contrast;
      return { winner, loser, better: better.id, worse: worse.id, ...upwards(contrast), pAdjusted };
    });
  const values = new Map(pairs.flatMap(({ pair }) => pair.map((cell) => [labelOf(cell), cell.id])));
  const fastest = (/** @type {string} */ value) =>
    Math.max(...cells.filter((cell) => labelOf(cell) === value).map(({ summary }) => summary.opsPerSecond));
  const [others, best] = [true, false].map((loses) =>
    [...values]
      .filter(([value]) => differing.some(({ loser }) => loser === value) === loses)
      .map(([value, example]) => ({ value, example }))
      .sort((a, b) => fastest(b.value) - fastest(a.value)),
  );
  const isBest = (/** @type {MeasuredCell} */ cell) => best.some(({ value }) => value === labelOf(cell));
  const ofBest = pairs.filter(({ pair }) => pair.every(isBest));
  const areOf = (/** @type {MeasuredCell[]} */ pair, /** @type {string[]} */ wanted) =>
    wanted.every((value) => pair.some((cell) => labelOf(cell) === value));
  // Releases of one client may have one value: it is not asked which of them is better.
  const isAsked = (/** @type {string[]} */ wanted) =>
    pairsOf(cells).some((pair) => areOf(pair, wanted) && valueIn(pair[0]) !== valueIn(pair[1]));
  /** @type {Verdict[]} */
  const verdicts = pairsOf(best.map(({ value }) => value)).flatMap((two) => {
    const known = ofBest.filter(({ pair }) => areOf(pair, two)).map(({ contrast }) => verdictOf(contrast));
    if (known.length > 0 || !isAsked(two)) return known;
    return 'not measured';
  });
  /** How far the first lies ahead of another of the best, by the pair that is farthest apart. @param {string} value */
  const aheadOf = (value) => {
    const contrasts = ofBest.flatMap(({ pair, contrast }) => {
      if (!areOf(pair, [best[0].value, value])) return [];
      return labelOf(pair[0]) === value ? inverse(contrast) : contrast;
    });
    const [widest] = contrasts.sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
    return widest === undefined ? null : intervalOf(widest);
  };
  const unknown = twins.flat().filter((cell) => !values.has(labelOf(cell)));
  const notCompared = new Map(unknown.map((cell) => [labelOf(cell), cell.id]));
  return {
    group: cells[0].group,
    cells: [...values.values()],
    axis: choice.id,
    client,
    best: best.map((each, place) => ({
      ...each,
      ahead: place === 0 ? null : aheadOf(each.value),
      asked: isAsked([best[0].value, each.value]),
    })),
    among: LEAST.find((verdict) => verdicts.includes(verdict)) ?? null,
    depends: false,
    behind: [
      ...others.map(({ value, example }) => {
        const withBest = pairs.filter(
          ({ pair }) => pair.some(isBest) && pair.some((cell) => labelOf(cell) === value),
        );
        const open = withBest.filter(({ contrast }) => !contrast.differs);
        const better = open.flatMap(({ pair }) => pair.find(isBest)?.id ?? []);
        return { value, example, pairs: withBest.length, open: better };
      }),
      ...[...notCompared].map(([value, example]) => ({ value, example, pairs: 0, open: [] })),
    ],
    gains: differing.filter(({ winner }) => best.some(({ value }) => value === winner)),
  };
}

/** @param {Contrast} contrast @returns {Interval} of the faster over the slower */
const upwards = (contrast) => intervalOf(contrast.ratio > 1 ? contrast : inverse(contrast));

/** @param {Contrast} contrast */
const intervalOf = ({ ratio, low, high }) => ({ ratio, low, high });
