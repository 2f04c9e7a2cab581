import { rankedReport } from '../core/run/ranked-report.js';
import { cellText, metricNamed, metricsIn, samplesIn } from '../core/store/metrics.js';

/** @import { CommonReport } from '../core/report/types.js' */
/** @import { Report as Result } from '../core/store/types.js' */

const FIRST_REPLY = metricNamed('firstReplyMs');
/** The parts of the first reply, and what was loaded for it. */
const PARTS = ['processStartMs', 'importMs', 'connectMs', 'replyMs', 'coldRssBytes', 'installedBytes'].map(
  metricNamed,
);
/** So many runs decide between a few cells. */
const ENOUGH = 5;

/** What a fresh process took to its first reply. @param {Result} result @param {CommonReport} common */
export function reportOf(result, common) {
  const runs = Math.max(0, ...result.cells.map((cell) => samplesIn(cell, FIRST_REPLY).length));
  return rankedReport(result, common, {
    title: 'Cold start: a fresh process until its first reply',
    hidden: ['workload', 'tasks'],
    by: FIRST_REPLY,
    column: 'first reply',
    runs: 'first reply of each run, the median of its processes',
    columns: PARTS.map((metric) => ({
      title: String(metric.tables?.cold ?? metric.title),
      text: ({ summary }) => (summary === null ? '' : cellText(metric, summary)),
    })),
    figures: metricsIn('cold'),
    notes: (isUnsure) => [
      isUnsure &&
        `maybe: ${runs} runs are too few to be sure; use --runs ${runs < ENOUGH ? ENOUGH : 2 * runs}.`,
      'Files are in the memory of the machine: right after a deploy, import also waits for the disk.',
      'It depends on the distance (--rtt 20ms), on TLS, and on whether the client is bundled (--bundle none,esbuild).',
    ],
  });
}
