import { about } from '../judge/silence.js';
import { defineFinding } from './define.js';

/** With fewer, intervals are wide and Mann-Whitney cannot claim anything. */
const FEW_RUNS = 5;

export default defineFinding({
  id: 'few-runs',
  place: 'warning',

  find({ cells, settings: { runs, races } }) {
    // A search repeats each rate until its runs agree; of faults all runs are reported.
    const counted = cells.filter(
      ({ summary, openLoop, fault }) => summary !== null && !openLoop?.search && fault === undefined,
    );
    if (races || runs >= FEW_RUNS || counted.length === 0) return [];
    return [{ ...about(counted), runs }];
  },

  say: ({ runs }) =>
    `too few runs per cell to see small differences (${runs}); use --runs 5 or more (6 for a 95 % interval)`,
});
