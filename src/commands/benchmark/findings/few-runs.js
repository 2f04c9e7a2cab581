import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */

/** With fewer, intervals are wide and Mann-Whitney cannot claim anything. */
const FEW_RUNS = 5;

/** @satisfies {FindingFile<'few-runs'>} */
export default {
  id: 'few-runs',
  place: 'warning',

  find({ cells, groups, settings: { runs, races } }) {
    // A search repeats each rate until its runs agree; of faults all runs are reported.
    const counted = cells.filter(
      ({ summary, openLoop, fault }) => summary !== null && !openLoop?.search && fault === undefined,
    );
    const isOfOneStart = groups.some(
      ({ comparison: { tested } }) => tested.by !== null && tested.by !== 'starts',
    );
    if (races || counted.length === 0 || (runs >= FEW_RUNS && !isOfOneStart)) return [];
    return [{ ...about(counted), runs, ...(isOfOneStart && { isOfOneStart }) }];
  },

  say: ({ runs, isOfOneStart }) =>
    isOfOneStart
      ? 'each cell was started once, and a restart alone may change its speed by more than its runs differ; use --starts 4'
      : `too few runs per cell to see small differences (${runs}); use --runs 5 or more`,
};
