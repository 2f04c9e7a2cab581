import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */

/** With fewer, intervals are wide. */
const FEW_RUNS = 5;

/** @satisfies {FindingFile<'few-runs'>} */
export default {
  id: 'few-runs',
  place: 'warning',

  find({ cells, noVerdicts, settings: { runs, races } }) {
    // A search repeats each rate until its runs agree; of faults all runs are reported.
    const counted = cells.filter(
      ({ summary, openLoop, fault }) => summary !== null && !openLoop?.search && fault === undefined,
    );
    // More runs of one start would not help.
    const isOfOneStart = noVerdicts.some(({ reason, group }) => reason === 'one-start' && group === null);
    return races || runs >= FEW_RUNS || isOfOneStart || counted.length === 0
      ? []
      : [{ ...about(counted), runs }];
  },

  say: ({ runs }) => `too few runs per cell to see small differences (${runs}); use --runs 5 or more`,
};
