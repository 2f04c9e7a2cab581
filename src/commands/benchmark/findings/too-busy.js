import { percent, times } from '../../../report/figures.js';
import { MOST_TOLD } from '../../../statistics/contrasts.js';
import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */
/** @import { TooBusy } from './types.js' */

/** Large ones as what is behind, `2.2x`, up to `10x`. @param {number | null} floor */
const floorText = (floor) => (floor !== null && floor < 1 ? percent(floor) : times(1 + (floor ?? MOST_TOLD)));

/** Worker and server waiting for this share of the time, or a noise floor beyond it, leave nothing to compare. */
const MOST = { waited: 0.4, floor: 0.5 };

/**
 * Whether this machine was too busy to compare anything. A difference that was shown all the same is advice.
 * @param {number | null} waitedShare
 * @param {number[]} floors of the groups that have one
 * @param {boolean} isShown whether any was
 * @returns {TooBusy | null}
 */
export function tooBusy(waitedShare, floors, isShown) {
  if (waitedShare !== null && waitedShare > MOST.waited) return { waitedShare, tellsApart: null };
  const least = floors.length === 0 ? 0 : Math.min(...floors);
  if (least <= MOST.floor || isShown) return null;
  return { waitedShare: null, tellsApart: Number.isFinite(least) ? least : null };
}

/** Said first, instead of advice. @satisfies {FindingFile<'too-busy'>} */
export default {
  id: 'too-busy',
  place: 'first',

  find: ({ busy, cells }) =>
    busy === null ? [] : [{ ...about(cells.filter(({ summary }) => summary !== null)), ...busy }],

  say({ waitedShare, tellsApart }, { settings }) {
    if (waitedShare !== null)
      return `Too busy to compare: worker and server waited for CPU ${percent(waitedShare)} of the time. Close other programs, and measure again.`;
    const advice = settings.races ? 'A longer --budget' : 'More --starts';
    return `Too noisy to compare: differences under ${floorText(tellsApart)} do not show here. ${advice}, or a quieter machine, shows smaller ones.`;
  },
};

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
