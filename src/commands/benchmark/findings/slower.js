import { groupBy } from '../../../collections.js';
import { sum } from '../../../descriptive-statistics.js';
import { times } from '../../../report/figures.js';
import { slowerPairs } from '../judge/compare-group.js';
import { about } from '../judge/no-verdict.js';
import { judgePairs } from '../judge/pair-costs.js';
import { CAUSES, codeOf, differenceText, largestDifference, NAMED } from './causes.js';

/** @import { JudgedPair } from '../judge/pair-costs.js' */
/** @import { Cause, Finding } from './types.js' */
/** @import { CauseRow, FindingFile } from './definitions.js' */

/**
 * Why each cell that is proven to be slower than the fastest of its group is so.
 * @satisfies {FindingFile<'slower'>}
 */
export default {
  id: 'slower',
  place: 'cause',

  find: ({ decided }) =>
    decided.flatMap((group) =>
      judgePairs(slowerPairs(group), group).map((pair) => ({
        ...about([pair.cell, pair.than], group.comparison.group),
        ...explain(pair),
      })),
    ),

  say: ({ cell, causes: [first], explained }, { name }) =>
    first === undefined ? [] : [causeLine(`Why ${name(cell)} is slower`, first, explained)],

  details({ cell, timesSlower, causes, explained, unproven }, { name }) {
    const what = `${name(cell)} is ${times(timesSlower)} slower`;
    if (unproven)
      return [`${what}: no single cause is proven. The largest difference: ${differenceText(unproven)}.`];
    if (causes.length === 0) return [`${what}; the figures do not show why.`];
    return causes.flatMap((cause) => [
      causeLine(what, cause, explained),
      ...codeOf(cause).map((text) => `${name(cell)}: ${text}.`),
    ]);
  },
};

/** @param {string} what @param {Cause} cause @param {boolean} explained */
const causeLine = (what, cause, explained) =>
  explained ? `${what}: ${causeText(cause)}.` : `${what}, in part: ${causeText(cause)}.`;

/** Causes must account for half of the difference to explain it. */
const ACCOUNTED = 0.5;

/**
 * Causes by the time of an operation that they explain, the longest first. Roots take theirs before what follows from them.
 * @param {JudgedPair} pair
 */
function explain(pair) {
  const { cell, than, timesSlower, moreUs } = pair;
  const found = CAUSES.flatMap((/** @type {CauseRow} */ cause) =>
    [cause.find(pair) ?? []].flat().map((figures) => ({ cause, figures })),
  );
  const alone = found.find(({ cause }) => cause.alone?.(pair));
  const counted = alone ? found.filter((each) => each === alone || each.cause.id === 'placement') : found;
  let leftUs = moreUs;
  const timed = counted
    .toSorted((a, b) => Number(b.cause.isRoot ?? false) - Number(a.cause.isRoot ?? false))
    .map(({ cause, figures }) => {
      const explainsUs = Math.max(0, Math.min(leftUs, cause.us(figures, pair)));
      if (cause.isRoot) leftUs -= explainsUs;
      return { cause: /** @type {Cause} */ ({ kind: cause.id, explainsUs, ...figures }), explainsUs };
    })
    .filter(({ explainsUs }) => explainsUs >= NAMED * moreUs)
    .toSorted((a, b) => b.explainsUs - a.explainsUs);
  const causes = timed.map(({ cause }) => cause);
  const explained = causes.length > 0 && sum(timed.map((each) => each.explainsUs)) >= ACCOUNTED * moreUs;
  const unproven = causes.length === 0 ? largestDifference(pair, NAMED * moreUs) : null;
  return { cell: cell.id, than: than.id, timesSlower, causes, explained, ...(unproven && { unproven }) };
}

/** @type {(cause: Cause) => string} */
export function causeText(cause) {
  /** @type {CauseRow | undefined} */
  const row = CAUSES.find(({ id }) => id === cause.kind);
  return row?.say(cause) ?? cause.kind;
}

/**
 * What the first screen says of a group: why the nearest rival is slower, then the largest effects, each kind of cause once.
 * Nobody wonders that opening a connection costs much, unless nothing else is slower.
 * @param {Finding[]} findings of one group @returns {Finding[]} not the others of this kind
 */
export function mainCauses(findings) {
  const explained = findings.flatMap((finding) =>
    finding.kind === 'slower' && finding.causes.length > 0 ? finding : [],
  );
  const news = explained.filter(({ causes }) => causes[0].kind !== 'opens-connections');
  const bySize = (news.length > 0 ? news : explained).toSorted((a, b) => b.timesSlower - a.timesSlower);
  const nearestFirst = [...bySize.slice(-1), ...bySize.slice(0, -1)];
  const chosen = groupBy(nearestFirst, ({ causes: [first] }) =>
    first.kind === 'cpu' ? first.of : first.kind,
  );
  const firsts = new Set(chosen.map(([{ cell }]) => cell));
  return findings.filter((finding) => finding.kind !== 'slower' || firsts.has(finding.cell));
}

/**
 * The cells whose profile would explain a difference in CPU.
 * @param {Finding[]} findings of one group @returns {Set<string>} ids
 */
export const explainedCells = (findings) => new Set(mainCauses(findings).flatMap(comparedByCpu));

/** @type {(finding: Finding) => string[]} */
function comparedByCpu(finding) {
  if (finding.kind === 'version-change') return finding.ratio === null ? [] : [finding.from, finding.to];
  if (finding.kind !== 'slower') return [];
  return finding.causes.some((cause) => cause.kind === 'cpu' && cause.of === 'client')
    ? [finding.cell, finding.than]
    : [];
}
