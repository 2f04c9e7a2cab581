import { conditionsIn } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';
import { isLateBefore, rangeOf } from './fault-outcome.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { FaultBest, FaultContrast, FaultOutcome, FaultRange, FaultRanking } from '../types.js'
 */

/** @param {FaultOutcome} outcome @returns {boolean} whether the fault, all of it, is what its figures tell of */
const isJudged = (outcome) => !outcome.outlasted && !isLateBefore(outcome);

/**
 * @param {FaultOutcome[]} outcomes
 * @param {CellResult[]} cells
 * @returns {FaultRanking[]} the combinations of choices that can be judged, the least harmed first
 */
export function rankingOf(outcomes, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const keyOf = sameBut(conditionsIn(cells), cells);
  const judged = outcomes.filter(isJudged);
  const faults = new Set(judged.map(({ group }) => group)).size;
  const ranks = alike(judged, ({ cell }) => keyOf(/** @type {CellResult} */ (byId.get(cell))));
  return ranks
    .map((own) => ({
      cells: own.map(({ cell }) => cell),
      complete: new Set(own.map(({ group }) => group)).size === faults,
      harmed: own.filter(({ harmed }) => harmed).map(({ cell }) => cell),
      runs: rangeOf(own.map(({ runs }) => runs)),
    }))
    .sort((a, b) => a.harmed.length - b.harmed.length || b.cells.length - a.cells.length);
}

/** @param {FaultOutcome[]} outcomes @param {(outcome: FaultOutcome) => string} keyOf @returns {FaultOutcome[][]} those of each key */
function alike(outcomes, keyOf) {
  const keys = outcomes.map(keyOf);
  return [...new Set(keys)].map((key) => outcomes.filter((_, place) => keys[place] === key));
}

/**
 * Who let callers wait least, and who failed least, fault by fault: what one fault costs everybody says nothing of
 * another. Compared are those that the fault did not harm and that recovered, if any did: to fail at once for ever is
 * no short wait.
 *
 * @param {FaultOutcome[]} outcomes
 * @returns {FaultContrast[]} one for each group with several to compare
 */
export function contrastsByFault(outcomes) {
  return alike(outcomes, ({ group }) => group).flatMap((members) => {
    const sound = members.filter((outcome) => isJudged(outcome) && !outcome.harmed);
    const recovered = sound.filter(({ heldAgainMs }) => heldAgainMs.low !== null || !heldAgainMs.never);
    const compared = recovered.length > 0 ? recovered : sound;
    if (compared.length < 2) return [];
    return [
      {
        cells: compared.map(({ cell }) => cell),
        waitMs: highest(compared.map(({ longestWaitMs }) => longestWaitMs)),
        failedShare: highest(compared.map(failedShare)),
        shortest: bestOf(compared, ({ longestWaitMs }) => longestWaitMs, NOTICED_MS),
        fewest: bestOf(compared, failedShare, NOTICED_SHARE),
      },
    ];
  });
}

/**
 * Two runs of the same client differ by as much: how long an outage seems depends on where its end falls among the
 * client's attempts. Measured, node-redis was back 1.1 s or 1.98 s after a restart that took 1 s.
 */
const AS_GOOD = 2;
/** Less than these is not worth a choice. */
const [NOTICED_MS, NOTICED_SHARE] = [100, 0.002];

/**
 * @param {FaultOutcome[]} compared
 * @param {(outcome: FaultOutcome) => FaultRange} of what is better low
 * @param {number} noticed
 * @returns {FaultBest | null} null where the runs tell none from the best
 */
function bestOf(compared, of, noticed) {
  const least = Math.min(...compared.map((outcome) => Number(of(outcome).high)));
  const isBest = (/** @type {FaultOutcome} */ outcome) =>
    Number(of(outcome).low) <= AS_GOOD * least || Number(of(outcome).high) <= noticed;
  const [best, others] = [compared.filter(isBest), compared.filter((outcome) => !isBest(outcome))];
  if (others.length === 0) return null;
  return {
    cells: best.map(({ cell }) => cell),
    most: highest(best.map(of)),
    others: {
      low: Math.min(...others.map((outcome) => Number(of(outcome).high))),
      high: highest(others.map(of)),
    },
  };
}

/** @param {FaultRange[]} ranges */
const highest = (ranges) => Math.max(...ranges.map(({ high }) => Number(high)));

/** @param {FaultOutcome} outcome @returns {FaultRange} of all operations */
const failedShare = ({ failed, scheduled }) =>
  rangeOf([failed.low, failed.high].map((count) => Number(count) / Math.max(1, Number(scheduled.high))));
