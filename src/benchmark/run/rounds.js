import { MEASURING } from '../../core/method.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Cell } from '../../core/plan/types.js' */

/**
 * The runs of each cell in each of its starts. All cells are started equally often where the user says how often, and where a
 * gate judges (assertions, releases): a cell that is left behind after one start could not be judged.
 * @param {Pick<Settings, 'starts' | 'runs' | 'races' | 'smoke'>} settings
 * @param {Pick<Cell, 'openLoop' | 'version'>[]} cells of a group @returns {number[] | 'race'}
 */
export function startsOf({ starts, runs, races, smoke }, cells) {
  // A given rate is sustained or not, whatever a start adds to the CPU time.
  if (smoke || cells.some(({ openLoop }) => openLoop !== null)) return [runs];
  if (races) {
    const isRace = cells.length > 1 && cells.every(({ version }) => version === null);
    return isRace ? 'race' : new Array(MEASURING.fixedStarts).fill(MEASURING.runs);
  }
  const count = starts === 'auto' ? Math.min(MEASURING.fixedStarts, runs) : starts;
  const upTo = (/** @type {number} */ start) => Math.floor((start * runs) / count);
  return Array.from({ length: count }, (_, index) => upTo(index + 1) - upTo(index));
}
