import { sum } from '../../descriptive-statistics.js';
import { micro, whole } from '../../report/figures.js';
import { rankedReport } from '../../run/ranked-report.js';
import { latencyText, metricNamed } from '../../store/metrics.js';

/** @import { CommonReport } from '../../report/types.js' */
/** @import { CellResult, Report as Result } from '../../store/types.js' */

/** How the error of a message begins that did not arrive. */
const LOST = 'a message was lost';

/** @param {CellResult} cell */
const lostIn = ({ runs }) =>
  sum(
    runs.flatMap(({ errors }) =>
      Object.entries(errors).map(([text, count]) => (text.startsWith(LOST) ? count : 0)),
    ),
  );

/** @param {CellResult} cell */
const twiceIn = ({ runs }) => sum(runs.map(({ wrongReplies }) => wrongReplies));

/** @param {Pick<CellResult, 'workload'>[]} cells @returns {string | false} */
export function togetherText(cells) {
  const apart = cells.filter(({ workload }) => /(^|:)apart$/.test(workload));
  if (apart.length === cells.length) return false;
  return apart.length === 0
    ? 'Sender and receiver share a process; with :apart, as in queue:apart, they have one each.'
    : 'Sender and receiver share a process, except with :apart.';
}

/** How messages came from sender to receiver. @param {Result} result @param {CommonReport} common */
export const reportOf = (result, common) =>
  rankedReport(result, common, {
    title: 'Messages',
    by: metricNamed('opsPerSecond'),
    column: 'received/s',
    runs: 'received per second in each run',
    columns: [
      { title: 'p50', text: ({ summary }) => latencyText('p50Us', summary?.latency ?? null) },
      { title: 'p99', text: ({ summary }) => latencyText('p99Us', summary?.latency ?? null) },
      {
        title: 'CPU each',
        text: ({ summary }) => (summary?.client?.cpuUsPerOp == null ? '' : micro(summary.client.cpuUsPerOp)),
      },
      { title: 'lost', text: (cell) => (cell.runs.length > 0 ? whole(lostIn(cell)) : '') },
      { title: 'twice', text: (cell) => (cell.runs.length > 0 ? whole(twiceIn(cell)) : '') },
    ],
    isHarmed: (cell) => lostIn(cell) + twiceIn(cell) > 0,
    notes: (isUnsure) => [
      'p50, p99: from sending a message until it is received; CPU each: of sender and receiver, for one message.',
      isUnsure && 'Not decided (?): these runs are too few, or vary too much; use more --runs.',
      result.cells.some(({ openLoop }) => openLoop !== null) &&
        'Latencies count from when a message was meant to be sent.',
      togetherText(result.cells),
      'Results depend on --tasks, --size and --rtt.',
    ],
  });
