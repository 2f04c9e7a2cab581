import { count } from '../../../numbers.js';
import { times } from '../../../report/figures.js';
import { NO_TIE } from '../judge/compare-group.js';

/** @import { NoVerdict } from '../judge/types.js' */
/** @import { Context, FindingFile } from './definitions.js' */

/** Fewer runs show only the largest differences, even on a quiet machine. */
const FEW_RUNS = 5;
const WARMER = 'Use more --warmup-runs, a longer --budget, or a quieter machine.';

/**
 * Why nothing is recommended, of the whole benchmark; of a group the table shows it.
 * @satisfies {FindingFile<'no-conclusion'>}
 */
export default {
  id: 'no-conclusion',
  find: ({ noVerdicts }) => noVerdicts,
  place: 'choose',
  say: (finding, context) => (finding.group === null ? reasonText(finding, context) : []),
};

/** @param {NoVerdict} finding @param {Context} context */
function reasonText(finding, { measured, name, settings: { races } }) {
  const cold = measured.filter(({ warm }) => warm === false).length;
  switch (finding.reason) {
    case 'smoke':
      return 'A smoke run only shows that everything works; it is too short to compare anything.';
    case 'no-result':
    case 'nothing-to-compare':
      if (cold > 0)
        return `Not warm when timed, so nothing to compare: ${cold} of ${count(measured.length, 'cell')}. ${WARMER}`;
      return finding.reason === 'no-result'
        ? 'No cell has a result that can be compared.'
        : 'Nothing to compare: no group has two comparable cells.';
    case 'one-start':
      return (
        `One start of each does not decide what is faster: cells look up to ${times(finding.farthestApartTimes)} apart. ` +
        `Use ${races ? 'a longer --budget' : '--starts 4'}.`
      );
    case 'ahead-though-cold':
      return `The fastest is not known: ${name(finding.cells[0])} was far ahead of all others, but not yet warm. ${WARMER}`;
    case 'copies-differ':
      return `Copies of the same cell differ by up to ${times(finding.mostTimes)}, so differences of that size mean nothing on this machine.`;
    case 'no-difference':
      return `No difference of 10 % or more: choose on other grounds. More ${races ? '--starts' : '--runs'} show smaller ones.`;
    case 'too-noisy': {
      const { mostRuns, farthestApartTimes: apart } = finding;
      const what =
        apart < NO_TIE
          ? 'medians are close, but the cells are not shown to be equal'
          : `cells look up to ${times(apart)} apart, but that may be chance`;
      return `Too ${mostRuns < FEW_RUNS ? 'few runs' : 'noisy'} to decide: ${what}.${races ? '' : ' Use more --runs, a longer --run-time, or a quieter machine.'}`;
    }
  }
}
