import { startedCold } from '../../../cold/first-replies.js';
import { filledColumns, gridOf } from '../../../core/report/grid.js';
import { metricNamed, metricsIn } from '../../../core/store/metrics/metric-values.js';
import { metricColumn } from './group-grids.js';
import { ratedGrid } from './rated-grid.js';
import { isOpen } from './result-rows.js';

/** @import { Metric } from '../../../core/store/metrics/types.js' */
/** @import { Group } from './result-rows.js' */
/** @import { Grid, Row } from '../../../core/report/types.js' */

const FIRST = metricNamed('firstReplyMs');

/** What fits the first screen, besides. */
const SHORT = [
  ...['processStartMs', 'importMs', 'connectMs', 'replyMs', 'coldCpuMs'],
  ...['modulesLoaded', 'coldRssBytes', 'installedBytes'],
];

/** @param {Metric} metric */
const columnOf = (metric) => metricColumn(metric, metric.tables?.cold);

/** Where the time of fresh processes went. @param {{heading?: string, rows: Row[]}[]} groups @param {boolean} [inShort] */
export function coldGrid(groups, inShort = false) {
  const metrics = metricsIn('cold').filter(
    (metric) => metric !== FIRST && (!inShort || SHORT.includes(metric.id)),
  );
  const rows = groups.flatMap(({ heading, rows: own }) =>
    own.map((row, index) => ({ ...row, heading: index === 0 ? heading : '' })),
  );
  return gridOf(rows, ({ name, state, heading }) => ({ name, state, heading }), [
    columnOf(FIRST),
    { title: 'slower', text: ({ columns }) => columns.slower },
    ...filledColumns(rows, metrics.map(columnOf)),
  ]);
}

/** What a group shows first. @param {Group} group @returns {Grid | null} null where its cells have no mode of their own */
export function mainGrid(group) {
  if (startedCold(group.cells)) return coldGrid([{ rows: group.rows }]);
  return isOpen(group.cells) ? ratedGrid([{ ...group, heading: undefined }]) : null;
}
