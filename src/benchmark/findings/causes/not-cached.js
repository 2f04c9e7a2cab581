import { percent } from '../../../core/report/figures.js';
import { defineCause } from '../define.js';

/** If a cache serves this much more, nothing else compares. */
const MORE_CACHED = 0.1;

/** The other's client serves more commands from its cache; then work and batches of the server do not compare. */
export default defineCause({
  id: 'not-cached',
  find({ cell, than }) {
    const [hitRate, againstHitRate] = [cell.summary.cacheHitRate ?? 0, than.summary.cacheHitRate ?? 0];
    return againstHitRate - hitRate < MORE_CACHED ? null : { hitRate, againstHitRate };
  },
  times: () => Number.POSITIVE_INFINITY,
  alone: () => true,
  say: ({ hitRate, againstHitRate }) =>
    `its cache answers ${percent(hitRate)} of commands instead of ${percent(againstHitRate)}`,
});
