import { sum } from 'simple-statistics';
import { percent } from '../../../core/report/figures.js';
import { defineCause } from '../define.js';

/** A larger share of the time is named. */
const MUCH_GARBAGE = 0.1;

export default defineCause({
  id: 'garbage',
  find({ cell, carried }) {
    const good = cell.runs.filter((run) => run.client !== null && run.elapsedMs);
    const share =
      sum(good.map(({ client }) => Number(client?.gcPauseMs))) /
      sum(good.map(({ elapsedMs }) => Number(elapsedMs)));
    return Number(carried.garbage?.ratio) < 1 && share >= MUCH_GARBAGE ? { share } : null;
  },
  say: ({ share }) => `garbage collection took ${percent(share)} of the time`,
});
