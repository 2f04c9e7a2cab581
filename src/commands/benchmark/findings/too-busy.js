import { percent, times } from '../../../report/figures.js';
import { about } from '../judge/no-verdict.js';
import { defineFinding } from './define.js';

/** Ten times as much: two starts, one of them disturbed, come to thousands of per cent. */
const HARDLY_ANY = 9;

/** Large ones as what is behind, `2.2x`, up to `10x`. @param {number} share */
function floorText(share) {
  const floor = Math.min(HARDLY_ANY, share);
  return floor < 1 ? percent(floor) : times(1 + floor);
}

/** Worker and server waiting for this share of the time, or a noise floor beyond it, leave nothing to compare. */
const MOST = { waited: 0.4, floor: 0.5 };

/**
 * @typedef {{waitedShare: number | null, tellsApart: number | null}} TooBusy `waitedShare`: null where it is no reason, or not known;
 *   `tellsApart`: the smallest difference that could have been claimed, null where that is no reason
 */

/**
 * Whether this machine was too busy to compare anything. A difference that was shown all the same is advice.
 * @param {number | null} waitedShare @param {number[]} floors of the groups that have one @param {boolean} isShown whether any was
 * @returns {TooBusy | null}
 */
export function tooBusy(waitedShare, floors, isShown) {
  if (waitedShare !== null && waitedShare > MOST.waited) return { waitedShare, tellsApart: null };
  const least = floors.length === 0 ? 0 : Math.min(...floors);
  return least > MOST.floor && !isShown ? { waitedShare: null, tellsApart: least } : null;
}

/** Said first, instead of advice. */
export default defineFinding({
  id: 'too-busy',
  place: 'first',

  find: ({ busy, cells }) =>
    busy === null ? [] : [{ ...about(cells.filter(({ summary }) => summary !== null)), ...busy }],

  say({ waitedShare, tellsApart }, { settings }) {
    if (waitedShare !== null)
      return `Too busy to compare: worker and server waited for CPU ${percent(waitedShare)} of the time. Close other programs, and measure again.`;
    const more = settings.races ? 'A longer --budget' : 'More --starts';
    return `Too noisy to compare: differences under ${floorText(Number(tellsApart))} do not show here. ${more}, or a quieter machine, shows smaller ones.`;
  },
});

/** What still stands where nothing is compared. */
export const KEPT_WHEN_BUSY = [
  'too-busy',
  'partial-replay',
  'sustained-rate',
  'fastest',
  'kept-awake',
  'not-measured',
  'not-warm',
  'profiled',
];
