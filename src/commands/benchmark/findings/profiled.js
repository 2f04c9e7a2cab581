import { said } from '../../../report/figures.js';
import { codeCosts, timedUs } from '../judge/code-costs.js';
import { about } from '../judge/no-verdict.js';
import { offText, profiledText, unsampledText } from './code-words.js';

/** @import { FindingFile } from './definitions.js' */

/** A profile that is further off the nearest timed run is not of that program. */
const FAR_OFF = 0.2;

/** How far profiled runs were off the timed ones in CPU. @satisfies {FindingFile<'profiled'>} */
export default {
  id: 'profiled',
  place: 'warning',

  find({ cells }) {
    const offBy = cells.flatMap((cell) => {
      const { offBy: share = null, perOp = 0 } = codeCosts(cell) ?? {};
      if (share === null) return [];
      const timed = cell.runs.flatMap((run) => (run.failed === null ? (timedUs(run) ?? []) : []));
      return [{ cell: cell.id, share, beyondRuns: beyondRuns(timed, perOp, share) }];
    });
    return offBy.length === 0 ? [] : [{ ...about(offBy.map(({ cell: id }) => ({ id }))), offBy }];
  },

  say: ({ offBy }, { name }) =>
    offBy
      .filter(({ beyondRuns }) => Math.abs(beyondRuns) > FAR_OFF)
      .map(
        ({ cell, share }) =>
          `the profiled run of ${name(cell)} used ${offText(share)} CPU per operation than its timed runs, so its profile may not represent them`,
      ),

  details: ({ offBy, cells }, { cell }) =>
    said([
      profiledText(offBy.map(({ share }) => share)),
      unsampledText(cells.flatMap((id) => codeCosts(cell(id)) ?? [])),
    ]),
};

/**
 * How far a profiled run was off the nearest timed one; 0 if it lies among them.
 * @param {number[]} timed @param {number} median @param {number} share how far it was off their median
 */
function beyondRuns(timed, median, share) {
  const [least, most] = [Math.min(...timed) / median, Math.max(...timed) / median];
  if (1 + share > most) return (1 + share) / most - 1;
  return 1 + share < least ? (1 + share) / least - 1 : 0;
}
