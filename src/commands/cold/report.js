import { mean } from '../../descriptive-statistics.js';
import { middleOf } from '../../numbers.js';
import { rankedReport } from '../../run/ranked-report.js';
import {
  asIs,
  cellText,
  figureOfRun,
  metricNamed,
  metricsIn,
  samplesIn,
  textOf,
} from '../../store/metrics.js';

/** @import { CommonReport } from '../../report/types.js' */
/** @import { CellResult, Metric, Report as Result } from '../../store/types.js' */

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
      text: (cell) => partText(metric, cell),
    })),
    figures: metricsIn('cold').map((metric) => ({ title: String(metric.tables?.cold), metric })),
    notes: (isUnsure) => [
      isUnsure &&
        `Not decided (?): ${runs} runs are too few; use --runs ${runs < ENOUGH ? ENOUGH : 2 * runs}.`,
      'start, import, connect, reply: the parts of the first reply, in the run in the middle.',
      'Files are in the memory of the machine: right after a deploy, import also waits for the disk.',
      `How fast each is once started: redis-pipe-bench --clients ${clientsOf(result)} --scenarios shared-connection`,
      'Results depend on the distance (--rtt 20ms), TLS, and bundling (--bundle none,esbuild).',
    ],
  });
}

/** The one or two runs in the middle count, so that the parts add up to the first reply. @param {Metric} metric @param {CellResult} cell */
function partText(metric, { runs, summary }) {
  if (summary === null) return '';
  const done = asIs(runs).filter(({ failed }) => failed === null);
  const inMiddle = middleOf(done, (run) => Number(figureOfRun(FIRST_REPLY, run)));
  const values = inMiddle.flatMap((run) => figureOfRun(metric, run) ?? []);
  return values.length === 0 ? cellText(metric, summary) : textOf(metric, mean(values));
}

/** @param {Result} result @returns {string} as they are typed */
function clientsOf({ cells }) {
  const names = cells.map(({ client, version, variant }) => {
    const name = version === null ? client : `${client}@${version}`;
    if (variant === 'default') return name;
    return variant.startsWith('{') ? `'${name}${variant}'` : `'${name}:${variant}'`;
  });
  return [...new Set(names)].join();
}
