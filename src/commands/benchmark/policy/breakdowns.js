import { groupBy } from '../../../collections.js';
import { MEASURING } from '../../../method.js';

/** @import { Settings } from '../../../options/types.js' */

/** The user's time is for passes after the runs, too: at most this share of it. @type {Record<Settings['breakdown'], number>} */
const MOST_OF_TIME = { all: 1 / 2, best: 1 / 5, none: 0 };

/** @param {Pick<Settings, 'breakdown'>} settings @param {number} cells @returns {number} of how many of them there is a breakdown at most */
const passesOf = ({ breakdown }, cells) =>
  breakdown === 'best' ? Math.min(cells, MEASURING.bestBreakdowns) : breakdown === 'all' ? cells : 0;

/** Those of the best cells come out of the time of a race; all of them, out of the user's. @param {Settings} settings */
const isBound = ({ breakdown, races, budgetMs }) => budgetMs !== undefined || (breakdown === 'best' && races);

/** @param {Settings} settings @param {number} cells @returns {number} ms that passes take beyond the time of the runs */
export const beyondRunsMs = (settings, cells) =>
  settings.breakdown === 'best' && isBound(settings) ? 0 : passesOf(settings, cells) * MEASURING.breakdownMs;

/** @param {Settings} settings @param {number} cells @param {number} leftMs @returns {number} ms that runs leave to passes */
export const keptForPassesMs = (settings, cells, leftMs) =>
  isBound(settings)
    ? Math.min(passesOf(settings, cells) * MEASURING.breakdownMs, leftMs * MOST_OF_TIME[settings.breakdown])
    : 0;

/**
 * Whether one more pass begins.
 * @param {Settings} settings @param {number} cells @param {number} begun @param {number} leftMs
 */
export const hasTimeForPass = (settings, cells, begun, leftMs) =>
  begun < passesOf(settings, cells) && (!isBound(settings) || leftMs >= MEASURING.breakdownMs);

/**
 * The best of each group, then the second of each, and so on.
 * @template {{group: string, opsPerSecond: number}} Standing @param {Standing[]} cells @returns {Standing[]}
 */
export function bestFirst(cells) {
  const ranked = groupBy(cells, ({ group }) => group).flatMap((own) =>
    own.toSorted((a, b) => b.opsPerSecond - a.opsPerSecond).map((cell, rank) => ({ cell, rank })),
  );
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ cell }) => cell);
}
