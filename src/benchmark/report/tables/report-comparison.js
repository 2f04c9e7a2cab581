import { alike } from '../../../core/alike.js';
import { count } from '../../../core/numbers.js';
import { pText, said, saysNothing, times, whole } from '../../../core/report/figures.js';
import { gridCsv, gridOf, titled } from '../../../core/report/grid.js';
import { isTie } from '../../../core/statistics/contrasts.js';
import { findMetric } from '../../../core/store/metrics.js';

/** @import { ComparedCell, findRegressions, ReportComparison } from '../../compare-reports.js' */
/** @import { ColumnOf, Report as Printed } from '../../../core/report/types.js' */

/** @param {ReportComparison} comparison @returns {string} how many changed for certain */
function verdict({ cells, moreIsBetter }) {
  const compared = cells.filter(({ contrast }) => contrast !== null).length;
  const [worse, better, changed, tied, waited] = ['worse', 'better', 'changed', 'tied', 'not judged'].map(
    (wanted) => cells.filter(({ change }) => change === wanted).length,
  );
  if (compared === 0)
    return waited > 0
      ? 'No cell can be judged: other programs used the CPU during one of the results.'
      : 'No cell can be compared: one of the results has too few runs or starts of it.';
  if (worse + better + changed === 0) {
    const what = tied === compared ? 'tied, within 10 %' : `${tied} tied, ${compared - tied} not decided`;
    return `No significant change in ${count(compared, 'cell')}: ${what}.`;
  }
  return moreIsBetter === null
    ? `${count(compared, 'cell')} compared: ${changed} changed significantly.`
    : `${count(compared, 'cell')} compared: ${worse} significantly worse, ${better} better.`;
}

/** @param {ReportComparison} comparison @returns {string} figures that are not rounded */
export const comparisonCsv = ({ metric, cells }) =>
  gridCsv({
    names: { title: 'cell' },
    columns: titled('metric change base new ratio adjusted low high p pAdjusted differs'.split(' ')),
    rows: cells.map(({ cell, change, base, new: after, ratio, isAdjusted, contrast }) => {
      const { low, high, p, pAdjusted, differs } = contrast ?? {};
      const adjusted = isAdjusted ? contrast?.ratio : undefined;
      return {
        name: cell,
        texts: [metric, change, base, after, ratio, adjusted, low, high, p, pAdjusted, differs],
      };
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
const columnsOf = ({ cells }) => [
  { title: 'change', align: 'left', text: ({ change }) => change },
  { title: 'base', text: ({ base }) => figureText(base) },
  { title: 'new', text: (cell) => figureText(cell.new) },
  {
    title: 'ratio',
    text: ({ ratio, contrast, isAdjusted, change }) =>
      isAdjusted || change === 'unchanged' ? `${ratio.toFixed(2)}x` : ratioOf(contrast),
  },
  ...(cells.some(({ isAdjusted }) => isAdjusted)
    ? [
        {
          title: 'adjusted',
          text: (/** @type {ComparedCell} */ { contrast, isAdjusted }) =>
            isAdjusted ? ratioOf(contrast) : '',
        },
      ]
    : []),
  {
    title: 'interval',
    text: ({ contrast }) => (contrast ? `${contrast.low.toFixed(2)}x to ${contrast.high.toFixed(2)}x` : ''),
  },
  { title: 'p', text: ({ contrast }) => (contrast ? pText(contrast.pAdjusted) : '') },
];

/** @param {ComparedCell['contrast']} contrast @returns {string} empty where it says nothing */
function ratioOf(contrast) {
  if (contrast === null || (!contrast.differs && saysNothing(contrast))) return '';
  return `${contrast.differs || isTie(contrast) ? '' : 'maybe '}${contrast.ratio.toFixed(2)}x`;
}

/** @param {ReportComparison} comparison @returns {string[]} what the rows do not show */
function remarks(comparison) {
  const { metric, unit, moreIsBetter, test, geometricMean, onlyBase, onlyNew, warnings } = comparison;
  const isBetter = moreIsBetter === null ? '' : `, ${moreIsBetter ? 'more' : 'less'} is better`;
  const figures =
    metric === 'opsPerSecond'
      ? 'as in the reports'
      : `medians ${isOfHistogram(metric) ? 'of what each run has by itself' : 'over the runs'}`;
  return said([
    `${metric} in ${unit}${isBetter}; ${figures}; ratio: new over base`,
    adjustedText(comparison),
    geometricMean !== null && `geometric mean of the ratios: ${times(geometricMean)}`,
    test !== '' && `test: ${test}`,
    comparison.mayBeMachine &&
      'the machine may have changed between the two: that is part of a ratio that is not adjusted',
    onlyBase.length > 0 && `only in the first: ${onlyBase.join('; ')}`,
    onlyNew.length > 0 && `only in the second: ${onlyNew.join('; ')}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

/** @param {ReportComparison} comparison */
function adjustedText({ findings, cells }) {
  const unchanged = findings.find((finding) => finding.kind === 'unchanged');
  if (unchanged === undefined) return '';
  const names = [...new Set(cells.flatMap(({ cell, name }) => (unchanged.cells.includes(cell) ? name : [])))];
  return `adjusted: divided by the ratio of cells with the same package and options in both results, so that what the machine did cancels out (${names.join('; ')}: ${unchanged.ratio.toFixed(2)}x)`;
}

/** In other tables it is of all runs together. @param {string} metric */
const isOfHistogram = (metric) => findMetric(metric)?.fromRuns === 'histogram';

/** @param {number} value @returns {string} whole where it is large, else three significant digits */
const figureText = (value) => (value >= 100 ? whole(value) : String(Number(value.toPrecision(3))));

/** @typedef {ReturnType<typeof findRegressions>['certain'][number]} WorseCell */

/** @param {WorseCell} cell @param {string} unit @returns {string} with the interval of the loss */
export function changeText({ name, group, base, new: after, isAdjusted, worseBy, least, most }, unit) {
  const against = isAdjusted ? ', compared with cells that did not change' : '';
  const interval =
    least < 0 === most < 0
      ? bothText(Math.abs(least), Math.abs(most))
      : `${lossText(least)} to ${lossText(most)}`;
  return `${name} (${group}): ${figureText(base)} → ${figureText(after)} ${unit}, ${lossText(worseBy)} (${interval})${against}`;
}

/** @param {number} least @param {number} most percentages */
const bothText = (least, most) => `${least.toFixed(1)} % to ${most.toFixed(1)} %`;

/** @param {number} percent */
const lossText = (percent) => `${Math.abs(percent).toFixed(1)} % ${percent < 0 ? 'better' : 'worse'}`;
