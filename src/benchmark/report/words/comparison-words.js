import { nameCells } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { cpusText, percent, said } from '../../../core/report/figures.js';
import { groupTitle, testText } from './legend.js';

/** @import { ComparedReports, ComparisonFinding, ReportComparison, Subject } from '../../judge/types.js' */
/** @import { Report } from '../../../core/store/types.js' */

/** @param {ComparedReports} compared @param {Report} base @param {Report} next @returns {ReportComparison} with names and sentences */
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
      return `${namesText(finding.cells, nameOf)}: ${waitedForText(finding.limitedTo)} (waited for CPU ${waitedText(finding)}), so no regression is shown or ruled out`;
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

/** @param {number | null} limitedTo */
const waitedForText = (limitedTo) =>
  limitedTo === null ? 'other programs were running' : `a CPU limit of ${cpusText(limitedTo)} was reached`;

/** @param {Extract<ComparisonFinding, {kind: 'disturbed'}>} finding */
const waitedText = ({ baseWaitedShare, newWaitedShare }) =>
  said([
    baseWaitedShare !== null && `up to ${percent(baseWaitedShare)} of the time in the first result`,
    newWaitedShare !== null &&
      `up to ${percent(newWaitedShare)} ${baseWaitedShare === null ? 'of the time in the second result' : 'in the second'}`,
  ]).join(', ');
