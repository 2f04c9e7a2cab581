import { alike } from '../../../core/alike.js';
import { count } from '../../../core/numbers.js';
import { pEquals, pText, said, saysNothing, times, whole } from '../../../core/report/figures.js';
import { gridCsv, gridOf, titled } from '../../../core/report/grid.js';
import { isTie } from '../../../core/statistics/contrasts.js';
import { findMetric } from '../../../core/store/metrics.js';

/** @import { ComparedCell, ReportComparison } from '../../compare-reports.js' */
/** @import { ColumnOf, Report as Printed } from '../../../core/report/types.js' */

/** @param {ReportComparison} comparison @returns {string} how many changed for certain */
function verdict({ cells, moreIsBetter }) {
  const compared = cells.filter(({ contrast }) => contrast !== null).length;
  const changes = cells.map((cell) => changeOf(cell, moreIsBetter));
  const [worse, better, changed, tied] = ['worse', 'better', 'changed', 'tied'].map(
    (wanted) => changes.filter((change) => change === wanted).length,
  );
  if (compared === 0) return 'No cell can be compared: one of the results has too few runs or starts of it.';
  if (worse + better + changed === 0) {
    const what = tied === compared ? 'tied, within 10 %' : `${tied} tied, ${compared - tied} not decided`;
    return `No significant change in ${count(compared, 'cell')}: ${what}.`;
  }
  return moreIsBetter === null
    ? `${changed} of ${count(compared, 'cell')} changed significantly.`
    : `Of ${count(compared, 'cell')}, ${worse} significantly worse, ${better} better.`;
}

/** @param {ComparedCell} cell @param {boolean | null} moreIsBetter @returns {string} */
function changeOf({ contrast }, moreIsBetter) {
  if (contrast === null) return 'not compared';
  if (!contrast.differs) return isTie(contrast) ? 'tied' : 'not decided';
  if (moreIsBetter === null) return 'changed';
  return contrast.ratio > 1 === moreIsBetter ? 'better' : 'worse';
}

/** @param {ReportComparison} comparison @returns {string} figures that are not rounded */
export const comparisonCsv = ({ metric, cells }) =>
  gridCsv({
    names: { title: 'cell' },
    columns: titled(['metric', 'base', 'new', 'ratio', 'low', 'high', 'p', 'pAdjusted', 'differs']),
    rows: cells.map(({ cell, base, new: after, ratio, contrast }) => {
      const { low, high, p, pAdjusted, differs } = contrast ?? {};
      return { name: cell, texts: [metric, base, after, ratio, low, high, p, pAdjusted, differs] };
    }),
  });

/** @param {ReportComparison} comparison @returns {Printed} with a table for each group of cells with the same conditions */
export function comparisonReport(comparison) {
  const place = /** @type {const} */ ('first');
  // What changed most first.
  const sorted = comparison.cells.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const tables = alike(sorted, ({ group }) => group).map((own) => ({
    ...{ place, heading: own[0].group },
    grid: gridOf(own, ({ name }) => ({ name }), columnsOf(comparison)),
  }));
  const sections = [...tables, { place, notes: remarks(comparison) }];
  return { title: verdict(comparison), facts: [], sections, remarks: [], verdicts: [] };
}

/** @param {ComparedCell} cell */
const sizeOf = ({ contrast }) => (contrast?.differs ? Math.abs(Math.log(contrast.ratio)) : 0);

/** @param {ReportComparison} comparison @returns {ColumnOf<ComparedCell>[]} */
const columnsOf = ({ moreIsBetter }) => [
  { title: 'change', align: 'left', text: (cell) => changeOf(cell, moreIsBetter) },
  { title: 'base', text: ({ base }) => figureText(base) },
  { title: 'new', text: (cell) => figureText(cell.new) },
  {
    title: 'ratio',
    text({ ratio, contrast }) {
      if (contrast === null || (!contrast.differs && saysNothing(contrast))) return '';
      return `${contrast.differs || isTie(contrast) ? '' : 'maybe '}${ratio.toFixed(2)}x`;
    },
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
    `${metric} in ${unit}${moreIsBetter === null ? '' : `, ${moreIsBetter ? 'more' : 'less'} is better`}; medians ${isOfHistogram(metric) ? 'of what each run has by itself' : 'over the runs'}; ratio: new over base`,
    `geometric mean of the ratios: ${times(geometricMean)}`,
    `test: ${test}; it knows how much runs vary within a result, not what the machine did between the two`,
    onlyBase.length > 0 && `only in the first: ${onlyBase.join('; ')}`,
    onlyNew.length > 0 && `only in the second: ${onlyNew.join('; ')}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

/** In other tables it is of all runs together. @param {string} metric */
const isOfHistogram = (metric) => findMetric(metric)?.fromRuns === 'histogram';

/** @param {number} value @returns {string} whole where it is large, else three significant digits */
const figureText = (value) => (value >= 100 ? whole(value) : String(Number(value.toPrecision(3))));

/** @param {ComparedCell & {worseBy: number}} cell @param {string} unit */
export const changeText = ({ name, group, base, new: after, worseBy, contrast }, unit) =>
  `${name} (${group}): ${figureText(base)} → ${figureText(after)} ${unit}, ${worseBy.toFixed(1)} % worse${contrast ? ` (${pEquals(contrast.pAdjusted)})` : ''}`;
