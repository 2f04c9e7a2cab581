import { MEASURING } from '../../../method.js';
import { count } from '../../../numbers.js';
import { countStarts } from '../../../statistics/start-test.js';
import { about } from '../judge/no-verdict.js';

/** @import { Contrast } from '../../../statistics/contrasts.js' */
/** @import { FindingFile } from './definitions.js' */

/** A race that ended before that part of its budget would not use a longer one. */
const USED = 0.8;
/** A longer benchmark is no advice. */
const MOST_MS = 30 * 60_000;
/** What is read at once, as `--budget` takes it. @type {[ms: number, text: string][]} */
const BUDGETS = [15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1800].map((s) => [
  s * 1000,
  s <= 90 ? `${s}s` : `${s / 60}min`,
]);

/** How much of a race its budget left open, and which one would do. @satisfies {FindingFile<'undecided'>} */
export default {
  id: 'undecided',
  place: 'condition',

  find({ groups, noVerdicts, settings, partial, usedMs }) {
    const givenMs = settings.budgetMs ?? groups.length * MEASURING.budgetMs;
    if (!settings.races || partial || usedMs < USED * givenMs) return [];
    const open = groups.flatMap(({ comparison: { group, ranking }, ranked }) =>
      ranking.flatMap(({ cell: id, verdict, againstFastest }, place) => {
        if (verdict !== 'not decided' || !againstFastest) return [];
        const starts = countStarts(ranked[place].runs);
        return { id, group, starts, longer: timesLonger(againstFastest) };
      }),
    );
    const compared = groups.flatMap(({ ranked }) => ranked).length;
    const ofOneStart = noVerdicts.filter(({ reason, group }) => reason === 'one-start' && group !== null);
    // Where that is so of all, it is said instead of advice.
    if (ofOneStart.length > 0 && ofOneStart.length < groups.length) {
      const undecided = new Set([...open, ...ofOneStart].map(({ group }) => group));
      return [
        {
          ...about(open),
          inGroups: undecided.size,
          groups: groups.length,
          compared,
          budgetMs: null,
          isOfFewStarts: true,
        },
      ];
    }
    if (open.length === 0) return [];
    const wantedMs = givenMs * Math.max(...open.map(({ longer }) => longer));
    const isPossible = open.every(({ starts, longer }) => starts * longer <= MEASURING.mostStarts);
    const openGroups = new Set(open.map(({ group }) => group));
    const budgetMs = isPossible && wantedMs <= MOST_MS ? wantedMs : null;
    // Two starts bound little: what a third would show is unknown.
    const isOfFewStarts =
      budgetMs === null &&
      groups.some(
        ({ comparison: { group }, ranked }) =>
          openGroups.has(group) &&
          Math.max(...ranked.map(({ runs }) => countStarts(runs))) < MEASURING.firstLook,
      );
    return [
      {
        ...about(open, groups.length === 1 ? groups[0].comparison.group : null),
        inGroups: openGroups.size,
        groups: groups.length,
        compared,
        budgetMs,
        ...(isOfFewStarts && { isOfFewStarts }),
      },
    ];
  },

  say({ cells, inGroups, groups, compared, budgetMs, isOfFewStarts }) {
    const what =
      groups === 1
        ? `${cells.length} of ${count(compared, 'cell')}`
        : `${inGroups} of ${count(groups, 'condition')}`;
    if (isOfFewStarts)
      return `Not decided: ${what}. A longer --budget starts them more often, and may decide them.`;
    const [, text] = BUDGETS.find(([ms]) => budgetMs !== null && ms >= budgetMs) ?? [];
    return text === undefined
      ? `Not decided: ${what}. More time would not decide them here; a quieter machine may.`
      : `Not decided: ${what}. About --budget ${text} would decide them.`;
  },
};

/**
 * An interval is half as wide after four times as many starts. It decides once it leaves out 1, or lies within a tie.
 * @param {Contrast} contrast
 */
function timesLonger({ ratio, low, high }) {
  const half = Math.log(high / low) / 2;
  const away = Math.abs(Math.log(ratio));
  return (half / Math.max(away, Math.log(MEASURING.tie) - away)) ** 2;
}
