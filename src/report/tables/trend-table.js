import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { inMarkdown } from '../words/escaped.js';
import { capital, pText, times } from '../words/figures.js';
import { phraseOf, sinceText } from '../words/trend-words.js';
import { wrap } from '../words/wrap.js';
import { gridLines, gridMarkdown, gridOf } from './grid.js';

/** @import { ChangedCell, SeriesChange } from '../../series/types.js' */
/** @import { TrendWithWords } from '../words/trend-words.js' */
/** @import { ColumnOf, Grid } from './types.js' */

/** @param {TrendWithWords} trend @param {{width: number}} view */
function table(trend, { width }) {
  const [sentences, notes] = [trend.sentences, trend.notes].map((texts) =>
    texts.flatMap((text) => wrap(text, width)).join('\n'),
  );
  const grids = changeGrids(trend).map((grid) =>
    [...wrap(String(grid.title), width), ...gridLines(grid, { width })].join('\n'),
  );
  return `${[sentences, ...grids, notes].join('\n\n')}\n`;
}

/** @param {TrendWithWords} trend */
function markdown(trend) {
  const grids = changeGrids(trend).flatMap((grid) => [
    `**${inMarkdown(String(grid.title))}**`,
    gridMarkdown(grid),
  ]);
  const [sentences, notes] = [trend.sentences, trend.notes].map((texts) =>
    texts.map((text) => `- ${inMarkdown(text)}`).join('\n'),
  );
  return `${[sentences, ...grids, notes].join('\n\n')}\n`;
}

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

/** @param {TrendWithWords} trend */
const json = (trend) => `${JSON.stringify(trend, null, 2)}\n`;

export const TREND_FORMATS = { table, json, markdown };
