import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { pText, times } from '../words/figures.js';
import { stepText } from '../words/trend-words.js';
import { gridOf } from './grid.js';
import { paperFormats } from './paper.js';

/** @import { ChangedCell, SeriesChange } from '../../series/types.js' */
/** @import { TrendWithWords } from '../words/trend-words.js' */
/** @import { ColumnOf, Grid } from './types.js' */

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
