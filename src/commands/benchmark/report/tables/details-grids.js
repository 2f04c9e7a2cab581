import { pText, whole } from '../../../../report/figures.js';
import { filledColumns, gridOf } from '../../../../report/grid.js';
import { NO_BREAK_BLANK } from '../../../../report/wrap.js';
import { metricsIn } from '../../../../store/metrics.js';
import { runTexts } from './main-grid.js';
import { headOf, metricColumn } from './rows.js';

/** @import { Grid } from '../../../../report/types.js' */
/** @import { Column, HeadedGroup, Row } from './rows.js' */

/** What stands in the details, by its heading. @satisfies {Record<string, () => Column[]>} */
const DETAILS = {
  'All runs': () => [
    { title: 'iterations', text: ({ cell }) => whole(cell.iterations) },
    {
      title: 'average (spread) of each run, ms',
      align: 'left',
      text: ({ cell: { runs } }) =>
        runTexts(runs)
          .map((text, index) =>
            `${text}${runs[index]?.awake ? ' awake' : ''}`.replaceAll(' ', NO_BREAK_BLANK),
          )
          .join(' '),
    },
  ],
  // How the cells compare with the fastest, with p corrected for all comparisons.
  Tests: () => [
    {
      title: 'p',
      text: ({ ranked }) => (ranked?.againstFastest ? pText(ranked.againstFastest.pAdjusted) : ''),
    },
    { title: 'limited by', text: ({ cell }) => cell.summary?.bottleneck.limit?.replace('-', ' ') ?? '' },
    {
      title: 'runs',
      text: ({ cell: { summary, runs } }) =>
        summary?.runs === runs.length ? `${runs.length}` : `${summary?.runs ?? 0} of ${runs.length}`,
    },
  ],
  Latency: () => metricsIn('latency').map(metricColumn),
  Costs: () =>
    metricsIn('cost')
      .filter(({ tables = {} }) => !('latency' in tables))
      .map((metric) => ({ ...metricColumn(metric), title: String(metric.tables?.cost) })),
};

/**
 * Columns that no row fills are left out.
 * @type {(heading: keyof typeof DETAILS, groups: HeadedGroup[]) => {heading: string, grid?: Grid}}
 */
export function detailsOf(heading, groups) {
  const isIn = (/** @type {Row} */ { cell }) =>
    heading === 'All runs' ? cell.runs.length > 0 : cell.summary !== null;
  const rows = groups.flatMap((group) =>
    // The heading stands above the first row that is left.
    group.rows.filter(isIn).map((row, index) => ({ ...row, heading: index === 0 ? group.heading : '' })),
  );
  const columns = filledColumns(rows, DETAILS[heading]());
  return { heading, ...(columns.length > 0 && { grid: gridOf(rows, headOf, columns) }) };
}
