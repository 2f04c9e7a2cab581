import { metricsIn } from '../../metrics/metric-values.js';
import { gridOf } from './grid.js';
import { metricColumn } from './group-grids.js';

/** @import { Metric } from '../../metrics/types.js' */
/** @import { Row } from './types.js' */

/** What fits the first screen. */
const SHORT = [
  ...['firstReplyMs', 'processStartMs', 'importMs', 'connectMs', 'replyMs', 'coldCpuMs'],
  ...['modulesLoaded', 'coldRssBytes', 'installedBytes'],
];

/** @param {Metric} metric */
const columnOf = (metric) => metricColumn(metric, metric.tables?.cold);

/**
 * Where the time of fresh processes went.
 * @param {{heading?: string, rows: Row[]}[]} groups @param {boolean} [inShort]
 */
export function coldGrid(groups, inShort = false) {
  const [first, ...parts] = metricsIn('cold').filter(({ id }) => !inShort || SHORT.includes(id));
  const rows = groups.flatMap(({ heading, rows: own }) =>
    own.map((row, index) => ({ ...row, heading: index === 0 ? heading : '' })),
  );
  return gridOf(rows, ({ name, state, heading }) => ({ name, state, heading }), [
    columnOf(first),
    { title: 'slower', text: ({ columns }) => columns.slower },
    ...parts.map(columnOf),
  ]);
}
