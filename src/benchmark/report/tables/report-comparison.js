import { count } from '../../../axes/number-words.js';
import { pEquals, pText, ratioText, said, times, whole } from '../../../core/report/figures.js';
import { gridCsv, gridOf, titled } from '../../../core/report/grid.js';
import { paperFormats } from '../../../core/report/paper.js';
import { alike } from '../../judge/alike.js';

/** @import { ComparedCell, ReportComparison } from '../../judge/types.js' */
/** @import { ColumnOf, Grid } from '../../../core/report/types.js' */

const MOST_NAMED = 3;

/** @param {ReportComparison} comparison @returns {string} what has changed for certain, the most first */
function verdict({ cells, moreIsBetter }) {
  const changed = cells
    .flatMap(({ name, contrast }) => (contrast?.differs ? { name, ratio: contrast.ratio, contrast } : []))
    .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
  const compared = cells.filter(({ contrast }) => contrast !== null).length;
  if (compared === 0) return 'No cell can be compared: one of the results has too few runs or starts of it.';
  if (changed.length === 0) return `No significant change in ${count(compared, 'cell')}.`;
  const worse = changed.filter(({ ratio }) => ratio < 1 === moreIsBetter);
  /** @type {Record<string, typeof changed>} */
  const sides =
    moreIsBetter === null
      ? { Changed: changed }
      : { Worse: worse, Better: changed.filter((each) => !worse.includes(each)) };
  const texts = Object.entries(sides).map(([title, some]) => {
    const named = some.slice(0, MOST_NAMED).map(({ name, contrast }) => `"${name}" ${ratioText(contrast)}`);
    const more = some.length > MOST_NAMED && `${some.length - MOST_NAMED} more`;
    return some.length > 0 && `${title}: ${said([...named, more]).join(', ')}.`;
  });
  return said(texts).join(' ');
}

/** @param {ReportComparison} comparison @returns {string} figures that are not rounded */
const csv = ({ metric, cells }) =>
  gridCsv({
    names: { title: 'cell' },
    columns: titled(['metric', 'base', 'new', 'ratio', 'low', 'high', 'p', 'pAdjusted', 'differs']),
    rows: cells.map(({ cell, base, new: after, ratio, contrast }) => {
      const { low, high, p, pAdjusted, differs } = contrast ?? {};
      return { name: cell, texts: [metric, base, after, ratio, low, high, p, pAdjusted, differs] };
    }),
  });

/** @param {ReportComparison} comparison @returns {Grid[]} a table for each group of cells with the same conditions */
const gridsOf = ({ cells }) =>
  alike(cells, ({ group }) => group).map((own) => ({
    title: own[0].group,
    ...gridOf(own, ({ name }) => ({ name }), COLUMNS),
  }));

/** @type {ColumnOf<ComparedCell>[]} */
const COLUMNS = [
  { title: 'base', text: ({ base }) => figureText(base) },
  { title: 'new', text: (cell) => figureText(cell.new) },
  {
    title: 'ratio',
    text: ({ ratio, contrast }) => `${contrast?.differs ? '' : 'maybe '}${ratio.toFixed(2)}x`,
  },
  {
    title: '95 % interval',
    text: ({ contrast }) => (contrast ? `${contrast.low.toFixed(2)}x to ${contrast.high.toFixed(2)}x` : ''),
  },
  { title: 'p', text: ({ contrast }) => (contrast ? pText(contrast.pAdjusted) : '') },
];

/** @param {ReportComparison} comparison @returns {string[]} what the rows do not show */
function remarks({ metric, unit, moreIsBetter, test, geometricMean, onlyBase, onlyNew, warnings }) {
  return said([
    `${metric} in ${unit}${moreIsBetter === null ? '' : `, ${moreIsBetter ? 'more' : 'less'} is better`}; medians over the runs; ratio: new over base`,
    `geometric mean of the ratios: ${times(geometricMean)}`,
    `test: ${test}; it knows how much runs vary within a result, not what the machine did between the two`,
    onlyBase.length > 0 && `only in the first: ${onlyBase.join('; ')}`,
    onlyNew.length > 0 && `only in the second: ${onlyNew.join('; ')}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

/** @param {number} value @returns {string} whole where it is large, else three significant digits */
const figureText = (value) => (value >= 100 ? whole(value) : String(Number(value.toPrecision(3))));

/** @param {ComparedCell & {worseBy: number}} cell @param {string} unit */
export const changeText = ({ name, group, base, new: after, worseBy, contrast }, unit) =>
  `${name} (${group}): ${figureText(base)} → ${figureText(after)} ${unit}, ${worseBy.toFixed(1)} % worse${contrast ? ` (${pEquals(contrast.pAdjusted)})` : ''}`;

export const COMPARISON_FORMATS = {
  ...paperFormats((/** @type {ReportComparison} */ comparison) => ({
    lead: [verdict(comparison)],
    grids: gridsOf(comparison),
    notes: remarks(comparison),
  })),
  csv,
};
