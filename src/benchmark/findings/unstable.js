import { count } from '../../core/numbers.js';
import { reachPercent } from '../../core/statistics/enough-runs.js';
import { about, defineFinding } from './define.js';

/** Cells for which --until-stable gave up; `percent`: null with too few runs. */
export default defineFinding({
  id: 'unstable',
  place: 'warning',

  find: ({ groups, settings: { untilStable } }) =>
    groups.flatMap(({ cells }) => {
      if (untilStable === null) return [];
      const found = cells.flatMap(({ id, runs, summary }) => {
        const percent = reachPercent(runs);
        if (!summary || summary.failedRuns > 0 || percent <= untilStable) return [];
        return { id, percent: Number.isFinite(percent) ? percent : null };
      });
      if (found.length === 0) return [];
      const reaches = found.map(({ id, percent }) => ({ cell: id, percent }));
      return [{ ...about(found, cells[0].group), limitPercent: untilStable, reaches }];
    }),

  say: ({ reaches, limitPercent }) =>
    `not stable within ${limitPercent} %: ${count(reaches.length, 'cell')}; use more --max-runs, or a longer --run-time`,
});
