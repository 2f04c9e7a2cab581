import { alike } from '../../analysis/alike.js';
import { nameCells } from '../../axes/cell-names.js';
import { testText } from './certainty-words.js';
import { percent } from './figures.js';
import { groupTitle } from './legend.js';

/** @import { Change, ComparedReports, ComparisonFinding, ReportComparison, Subject } from '../../analysis/types.js' */
/** @import { Report } from '../../results/types.js' */

/**
 * @param {ComparedReports} compared @param {Report} base @param {Report} next
 * @returns {ReportComparison} the comparison with names, and with sentences for what else differs
 */
export function comparisonWithWords(compared, base, next) {
  const inBase = labelling(base);
  const inNext = labelling(next);
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

/** @type {Record<Subject, (clients?: string[]) => string>} */
const SUBJECTS = {
  machine: () => 'the machine differs',
  versions: () => 'versions differ',
  files: () => 'your own files changed (a hash of their content, and of what they import by a relative path)',
  server: () => 'the server differs',
  placement: () => 'the placement differs',
  settings: () => 'settings differ',
  options: (clients = []) => `options of ${clients.join(', ')} differ`,
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
      return `${namesText(finding.cells, nameOf)}: other programs were running (waited for CPU ${waitedText(finding)}), so no regression is shown or ruled out`;
    case 'moved':
      if (finding.what === 'floor')
        return `"${nameOf(finding.cells[0])}", this tool's own client, changed by ${finding.ratio.toFixed(2)}x too: that much may be the machine's doing`;
      return `all ${finding.cells.length} cells moved the same way, by ${finding.ratio.toFixed(2)}x on average: that may be the machine; measure again, or compare them in one benchmark, where they alternate`;
  }
}

/** @param {string[]} cells @param {(id: string) => string} nameOf @returns {string} each name once: cells of several groups may share one */
const namesText = (cells, nameOf) =>
  alike(cells, nameOf)
    .map((own) => `"${nameOf(own[0])}"${own.length > 1 ? ` (under ${own.length} conditions)` : ''}`)
    .join(', ');

/** @param {Extract<ComparisonFinding, {kind: 'difference'}>} finding @returns {string} `versions differ: Node 22.1.0 → 24.1.0` */
export const differenceText = ({ subject, clients, changes }) =>
  `${SUBJECTS[subject](clients)}: ${changesText(changes)}`;

/** @param {Extract<ComparisonFinding, {kind: 'disturbed'}>} finding */
const waitedText = ({ baseWaitedShare, newWaitedShare }) =>
  [
    { share: baseWaitedShare, where: 'of the time in the first result' },
    {
      share: newWaitedShare,
      where: baseWaitedShare === null ? 'of the time in the second result' : 'in the second',
    },
  ]
    .flatMap(({ share, where }) => (share === null ? [] : `up to ${percent(share)} ${where}`))
    .join(', ');

/** @param {Change[]} changes */
const changesText = (changes) =>
  changes.map(({ name, base, new: after }) => `${name} ${base ?? 'none'} → ${after ?? 'none'}`).join(', ');
