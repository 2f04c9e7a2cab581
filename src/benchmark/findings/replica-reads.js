import { percent, spanText } from '../../core/report/figures.js';
import { metricNamed, samplesOf } from '../../core/store/metrics.js';
import { about } from './about.js';
import { defineFinding } from './define.js';

/** The share of the reads of clients that were configured to read from replicas: in the lowest and the highest run. */
export default defineFinding({
  id: 'replica-reads',
  place: 'condition',

  find({ cells }) {
    const reading = cells.filter(({ readFrom, summary }) => readFrom === 'replica' && summary !== null);
    const runs = reading.flatMap((cell) => cell.runs.filter(({ failed }) => failed === null));
    const shares = samplesOf(runs, metricNamed('replicaReadShare')).map(({ value }) => value);
    if (shares.length === 0) return [];
    return [{ ...about(reading), lowShare: Math.min(...shares), highShare: Math.max(...shares) }];
  },

  say: ({ lowShare, highShare }) =>
    `Replicas answered ${spanText(percent(lowShare), percent(highShare))} of the reads meant for them.`,
});
