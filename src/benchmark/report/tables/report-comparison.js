import { nameCells } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { count } from '../../../core/numbers.js';
import { pEquals, percent, pText, said, times, whole } from '../../../core/report/figures.js';
import { gridCsv, gridOf, titled } from '../../../core/report/grid.js';
import { groupTitle, testText } from '../words/legend.js';

/** @import { ComparedReports } from '../../findings/compare-reports.js' */
/** @import { ComparisonFinding, ReportComparison, Subject } from '../../judge/types.js' */
/** @import { Report } from '../../../core/store/types.js' */
/** @import { ColumnOf, Report as Printed } from '../../../core/report/types.js' */

/** @typedef {ReportComparison['cells'][number]} ComparedCell */

/** With names and sentences. @param {ComparedReports} compared @param {Report} base @param {Report} next */
export function comparisonWithWords(compared, base, next) {
  const [inBase, inNext] = [base, next].map(labelling);
  const textOf = (/** @type {ReturnType<typeof inBase>} */ { name, group }) => `${name} (${group})`;
  return {
    ...compared,
    test: testText(compared.tested),
    cells: compared.cells.map((cell) => ({ ...cell, ...inBase(cell.cell) })),
    onlyBase: compared.onlyBase.map((id) => textOf(inBase(id))),
    onlyNew: compared.onlyNew.map((id) => textOf(inNext(id))),
    warnings: compared.findings.map((finding) => warningText(finding, (id) => inBase(id).name)),
  };
}

/** @param {Report} report @returns {(id: string) => {name: string, group: string}} */
function labelling(report) {
  const labels = new Map(
    alike(report.cells, ({ group }) => group).flatMap((cells) => {
      const [names, group] = [nameCells(cells), groupTitle(cells, report)];
      return cells.map((cell) => [cell.id, { name: names.get(cell.id) ?? cell.id, group }]);
    }),
  );
  return (id) => labels.get(id) ?? { name: id, group: '' };
}

/** @type {Record<Exclude<Subject, 'options'>, string>} */
const SUBJECTS = {
  machine: 'the machine differs',
  versions: 'versions differ',
  server: 'the server differs',
  placement: 'the placement differs',
  settings: 'settings differ',
};

/** @param {ComparisonFinding} finding @param {(id: string) => string} nameOf @returns {string} */
function warningText(finding, nameOf) {
  switch (finding.kind) {
    case 'difference':
      return differenceText(finding);
    case 'ended-early':
      return `the ${finding.report === 'base' ? 'first' : 'second'} result ended early`;
    case 'started-once':
      return `not compared, because one of the results has a single warm start: ${namesText(finding.cells, nameOf)}; use --starts for both`;
    case 'disturbed':
      return `${namesText(finding.cells, nameOf)}: waited for CPU ${waitedText(finding)}, so no regression is shown or ruled out`;
    case 'moved':
      if (finding.what === 'floor')
        return `"${nameOf(finding.cells[0])}", this tool's own client, changed by ${finding.ratio.toFixed(2)}x too: that much may be the machine's doing`;
      return `all ${finding.cells.length} cells moved the same way, by ${finding.ratio.toFixed(2)}x on average: that may be the machine; measure again, or compare them in one benchmark, where they alternate`;
  }
}

/** Cells of several groups may share a name. @param {string[]} cells @param {(id: string) => string} nameOf */
const namesText = (cells, nameOf) =>
  alike(cells, nameOf)
    .map((own) => `"${nameOf(own[0])}"${own.length > 1 ? ` (under ${own.length} conditions)` : ''}`)
    .join(', ');

/** @param {Extract<ComparisonFinding, {kind: 'difference'}>} finding @returns {string} `versions differ: Node 22.1.0 → 24.1.0` */
export function differenceText({ subject, clients = [], changes }) {
  const what = subject === 'options' ? `options of ${clients.join(', ')} differ` : SUBJECTS[subject];
  const how = changes.map(({ name, base, new: after }) => `${name} ${base ?? 'none'} → ${after ?? 'none'}`);
  return `${what}: ${how.join(', ')}`;
}

/** @param {Extract<ComparisonFinding, {kind: 'disturbed'}>} finding */
const waitedText = ({ baseWaitedShare, newWaitedShare }) =>
  said([
    baseWaitedShare !== null && `up to ${percent(baseWaitedShare)} of the time in the first result`,
    newWaitedShare !== null &&
      `up to ${percent(newWaitedShare)} ${baseWaitedShare === null ? 'of the time in the second result' : 'in the second'}`,
  ]).join(', ');

/** @param {ReportComparison} comparison @returns {string} how many changed for certain */
function verdict({ cells, moreIsBetter }) {
  const compared = cells.filter(({ contrast }) => contrast !== null).length;
  const changes = cells.map((cell) => changeOf(cell, moreIsBetter));
  const [worse, better, changed] = ['worse', 'better', 'changed'].map(
    (wanted) => changes.filter((change) => change === wanted).length,
  );
  if (compared === 0) return 'No cell can be compared: one of the results has too few runs or starts of it.';
  if (worse + better + changed === 0) return `No significant change in ${count(compared, 'cell')}.`;
  return moreIsBetter === null
    ? `${changed} of ${count(compared, 'cell')} changed significantly.`
    : `Of ${count(compared, 'cell')}, ${worse} significantly worse, ${better} better.`;
}

/** @param {ComparedCell} cell @param {boolean | null} moreIsBetter @returns {string} empty where no change is shown */
function changeOf({ contrast }, moreIsBetter) {
  if (!contrast?.differs) return contrast === null ? 'not compared' : '';
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
export const comparisonReport = (comparison) => ({
  title: verdict(comparison),
  facts: [],
  sections: [
    ...alike(comparison.cells.toSorted(byChange), ({ group }) => group).map((own) => ({
      place: /** @type {const} */ ('first'),
      heading: own[0].group,
      grid: gridOf(own, ({ name }) => ({ name }), [
        {
          title: 'change',
          align: /** @type {const} */ ('left'),
          text: (cell) => changeOf(cell, comparison.moreIsBetter),
        },
        ...COLUMNS,
      ]),
    })),
    { place: 'first', notes: remarks(comparison) },
  ],
  remarks: [],
  verdicts: [],
});

/** What changed most first. @param {ComparedCell} a @param {ComparedCell} b */
const byChange = (a, b) => sizeOf(b) - sizeOf(a);

/** @param {ComparedCell} cell */
const sizeOf = ({ contrast }) => (contrast?.differs ? Math.abs(Math.log(contrast.ratio)) : 0);

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
