import { groupBy } from '../../../../collections.js';
import { count } from '../../../../numbers.js';
import { percent, pText, ratioText, said, spanOf, times, whole } from '../../../../report/figures.js';
import { gridCsv, gridOf, titled } from '../../../../report/grid.js';
import { withVerdict } from '../../../../statistics/contrasts.js';
import { findMetric } from '../../../../store/metrics.js';

/** @import { findRegressions } from '../../compare-reports.js' */
/** @import { Change, ComparedCell, ReportComparison } from '../../types.js' */
/** @import { ColumnOf, Report as Printed } from '../../../../report/types.js' */

/** @type {Change[]} */
const PROVEN = ['worse', 'better', 'changed'];
const MOST_NAMED = 2;

/** @param {ReportComparison} comparison @returns {string} what changed, and by how much; else what is ruled out, or why nothing is judged */
function verdict({ cells, findings }) {
  const judged = cells.flatMap(({ contrast }) => contrast ?? []);
  const left = cells.filter(({ contrast, change }) => contrast === null && change !== 'unchanged').length;
  const proven = PROVEN.flatMap((kind) => {
    const changed = cells.filter(({ change }) => change === kind).sort(byChange);
    const named = changed.slice(0, MOST_NAMED).map((cell) => `${cell.name} ${ratioOf(cell)}`);
    const rest = changed.length > MOST_NAMED ? ['…'] : [];
    return changed.length > 0
      ? `${count(changed.length, 'cell')} ${kind}: ${[...named, ...rest].join('; ')}`
      : [];
  });
  const none = `No change proven in ${count(judged.length, 'cell')}; ${ruledOutText(judged)}`;
  if (judged.length > 0)
    return [...(proven.length > 0 ? proven : [none]), ...(left > 0 ? [`${left} not judged`] : [])].join(
      ' · ',
    );
  const waited = findings.find((finding) => finding.kind === 'disturbed');
  const shares = [waited?.baseWaitedShare, waited?.newWaitedShare].flatMap((share) => share ?? []);
  if (waited) return `Not judged: waited for CPU ${spanOf(percent, shares)} of the time`;
  if (findings.some(({ kind }) => kind === 'smoke')) return 'Not compared: one of the results is a smoke run';
  return findings.some(({ kind }) => kind === 'started-once')
    ? 'Not compared: a single start does not show how much starts differ'
    : 'Not compared: one of the results has too few runs';
}

/** A larger one says that nothing is known. */
const MOST_RULED_OUT = 10;

/** @param {{low: number, high: number}[]} intervals @returns {string} by the largest change that one of them holds */
function ruledOutText(intervals) {
  const most = Math.max(...intervals.flatMap(({ low, high }) => [1 - low, high - 1]));
  if (most > MOST_RULED_OUT) return 'nothing is ruled out';
  return `more than ${most < 1 ? percent(most) : times(1 + most)} is ruled out`;
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

/** @param {ReportComparison} comparison @returns {Printed} cells with the same conditions together, what changed most first */
export function comparisonReport(comparison) {
  const { test, geometricMean } = comparison;
  const rows = groupBy(comparison.cells.toSorted(byChange), ({ group }) => group).flatMap((members) =>
    members.map((cell, index) => ({ ...cell, heading: index === 0 ? cell.group : '' })),
  );
  const gridWith = (/** @type {ColumnOf<ComparedCell>[]} */ columns) =>
    gridOf(rows, ({ name, heading }) => ({ name, heading }), columns);
  const tests = said([
    test !== '' && `test: ${test}`,
    geometricMean !== null && `geometric mean of the ratios: ${times(geometricMean)}`,
  ]);
  return {
    title: verdict(comparison),
    facts: [],
    sections: [
      { place: 'first', grid: gridWith(COLUMNS), notes: remarks(comparison) },
      { place: 'details', heading: 'Tests', grid: gridWith(TESTS), notes: tests },
    ],
    remarks: [],
    verdicts: [],
  };
}

/** @param {ComparedCell} a @param {ComparedCell} b */
const byChange = (a, b) => sizeOf(b) - sizeOf(a);

/** @param {ComparedCell} cell */
const sizeOf = ({ contrast }) => (contrast?.differs ? Math.abs(Math.log(contrast.ratio)) : 0);

/** @type {ColumnOf<ComparedCell>[]} */
const COLUMNS = [
  { title: 'change', align: 'left', text: ({ change }) => change },
  {
    title: 'ratio',
    text(cell) {
      const text = cell.change === 'unchanged' ? times(cell.ratio) : ratioOf(cell);
      return text === cell.change ? '' : text;
    },
  },
  { title: 'base', text: ({ base }) => figureText(base) },
  { title: 'new', text: (cell) => figureText(cell.new) },
];

/** @type {ColumnOf<ComparedCell>[]} */
const TESTS = [
  { title: 'p', text: ({ contrast }) => (contrast ? pText(contrast.pAdjusted) : '') },
  { title: 'ratio as measured', text: ({ ratio }) => `${ratio.toFixed(2)}x` },
];

/** @param {ComparedCell} cell @returns {string} without what the machine did, where that is known; empty where it is not judged */
const ratioOf = ({ contrast }) => (contrast === null ? '' : ratioText(withVerdict(contrast)));

/** @param {ReportComparison} comparison @returns {string[]} what the rows do not show */
function remarks(comparison) {
  const { metric, unit, moreIsBetter, findings, cells, onlyBase, onlyNew, warnings } = comparison;
  const isBetter = moreIsBetter === null ? '' : `, ${moreIsBetter ? 'more' : 'less'} is better`;
  const unchanged = findings.find((finding) => finding.kind === 'unchanged');
  const without = new Set(cells.flatMap(({ cell, name }) => (unchanged?.cells.includes(cell) ? name : [])));
  return said([
    `ratio: new over base, of ${metric} (${unit}${isBetter})`,
    metric !== 'opsPerSecond' &&
      `base, new: medians ${isOfHistogram(metric) ? 'of what each run has by itself' : 'over the runs'}`,
    unchanged !== undefined &&
      `Ratios are divided by that of what did not change, so what the machine did cancels out (${[...without].join('; ')}: ${times(unchanged.ratio)}).`,
    comparison.mayBeMachine &&
      `The machine may have changed between the two: that is part of ${unchanged ? 'the other' : 'these'} ratios.`,
    onlyBase.length > 0 && `only in the first: ${onlyBase.join('; ')}`,
    onlyNew.length > 0 && `only in the second: ${onlyNew.join('; ')}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

/** @param {string} metric */
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
