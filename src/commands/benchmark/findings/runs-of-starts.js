import { median } from '../../../descriptive-statistics.js';
import { percent } from '../../../report/figures.js';
import { scatterOf } from '../../../statistics/race.js';
import { asIs } from '../../../store/metrics.js';
import { about } from '../judge/no-verdict.js';

/** @import { Run } from '../../../store/types.js' */
/** @import { FindingFile } from './definitions.js' */

/** Without a reason for more. */
const USUAL = 3;

/** How many runs each start of a race had, and why: how much runs and starts vary. @satisfies {FindingFile<'runs-of-starts'>} */
export default {
  id: 'runs-of-starts',
  place: 'details',

  find({ groups, settings }) {
    const racing = groups.map(({ cells }) => cells.filter(({ runs }) => countsOf(runs).length > 1));
    const raced = racing.filter(({ length }) => length > 1);
    if (!settings.races || raced.length === 0) return [];
    const counts = raced.flat().map(({ runs }) => countsOf(runs));
    const starts = Math.max(...counts.map(({ length }) => length));
    const runs = Array.from({ length: starts }, (_, start) =>
      Math.max(...counts.map((each) => each[start] ?? 0)),
    );
    if (runs.every((count) => count <= USUAL)) return [];
    const scatter = raced.map((cells) => scatterOf(cells));
    const deviation = (/** @type {number[]} */ variances) => Math.sqrt(median(variances));
    return [
      {
        ...about(raced.flat()),
        runs,
        ofRuns: deviation(scatter.map(({ run }) => run)),
        ofStarts: deviation(scatter.map(({ start }) => Number(start))),
      },
    ];
  },

  say: ({ runs, ofRuns, ofStarts }) =>
    `Runs per start: ${runs.join(', ')}. A run varies by ${percent(ofRuns)}, a start by ${percent(ofStarts)} besides.`,
};

/** @param {Run[]} runs @returns {number[]} of each start, as the machine is */
function countsOf(runs) {
  const counted = asIs(runs);
  const starts = [...new Set(counted.map(({ start }) => start))];
  return starts.map((start) => counted.filter((run) => run.start === start).length);
}
