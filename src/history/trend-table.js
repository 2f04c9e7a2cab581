import { pText, times } from '../core/report/figures.js';
import { gridOf } from '../core/report/grid.js';
import { paperFormats } from '../core/report/paper.js';
import { metricNamed } from '../core/store/metrics/metric-values.js';
import { textOf } from '../core/store/metrics/text.js';
import { stepText } from './trend-words.js';

/** @import { ChangedCell, SeriesChange } from './types.js' */
/** @import { TrendWithWords } from './trend-words.js' */
/** @import { ColumnOf, Grid } from '../core/report/types.js' */

/**
 * @param {Pick<TrendWithWords, 'changes' | 'names' | 'order'>} trend
 * @returns {Grid[]} one with each changed cell; none where nothing changed
 */
export function changeGrids({ changes, names, order }) {
  const rows = changes.flatMap((change) => change.cells.map((cell) => ({ change, cell })));
  /** @type {ColumnOf<{change: SeriesChange, cell: ChangedCell}>[]} */
  const columns = [
    { title: 'since', text: ({ change }) => stepText(change, order) },
    { title: 'metric', text: ({ change: { metric } }) => metricNamed(metric).title },
    { title: 'before', text: ({ change, cell }) => figureText(change, cell.before) },
    { title: 'after', text: ({ change, cell }) => figureText(change, cell.after) },
    { title: 'ratio', text: ({ cell: { ratio } }) => times(ratio) },
    { title: 'p', text: ({ cell: { pAdjusted } }) => pText(pAdjusted) },
  ];
  const nameOf = (/** @type {typeof rows[number]} */ { cell: { cell: id } }) => ({ name: names[id] ?? id });
  return rows.length === 0 ? [] : [gridOf(rows, nameOf, columns)];
}

/** @param {SeriesChange} change @param {number} value with a digit more than elsewhere, for small changes */
const figureText = ({ metric }, value) => textOf(metricNamed(metric), value, 3);

export const TREND_FORMATS = paperFormats((/** @type {TrendWithWords} */ trend) => ({
  lead: trend.sentences,
  grids: changeGrids(trend),
  notes: trend.notes,
}));
