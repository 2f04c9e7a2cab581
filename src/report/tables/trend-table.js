import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { capital, pText, times } from '../words/figures.js';
import { phraseOf, sinceText } from '../words/trend-words.js';
import { gridOf } from './grid.js';
import { paperFormats } from './paper.js';

/** @import { ChangedCell, SeriesChange } from '../../series/types.js' */
/** @import { TrendWithWords } from '../words/trend-words.js' */
/** @import { ColumnOf, Grid } from './types.js' */

/** @param {TrendWithWords} trend @returns {Grid[]} the cells of each change */
export const changeGrids = ({ changes, names, order }) =>
  changes.map((change) => ({
    title: `${capital(phraseOf(change.metric))} since ${sinceText(change, order)}`,
    ...gridOf(change.cells, ({ cell }) => ({ name: names[cell] ?? cell }), columnsOf(change)),
  }));

/** @param {SeriesChange} change @returns {ColumnOf<ChangedCell>[]} */
function columnsOf({ metric: id }) {
  const metric = metricNamed(id);
  return [
    { title: 'before', text: ({ before }) => textOf(metric, before) },
    { title: 'after', text: ({ after }) => textOf(metric, after) },
    { title: 'ratio', text: ({ ratio }) => times(ratio) },
    { title: 'p', text: ({ pAdjusted }) => pText(pAdjusted) },
  ];
}

export const TREND_FORMATS = paperFormats((/** @type {TrendWithWords} */ trend) => ({
  lead: trend.sentences,
  grids: changeGrids(trend),
  notes: trend.notes,
}));
