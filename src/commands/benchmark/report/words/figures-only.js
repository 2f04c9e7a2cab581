import { gridLines } from '../../../../report/grid.js';
import { PARTIAL_NOTE, remarksOf } from '../../../../report/run-remarks.js';
import { wrap } from '../../../../report/wrap.js';
import { choicesGrid } from '../tables/choices-grid.js';
import { sentencesAt } from './findings.js';

/** @import { CellResult, Report } from '../../../../store/types.js' */

/**
 * Adds to a format that writes only figures what makes those of each group doubtful, and at the end what to choose.
 * @param {Report} report
 * @param {number} width
 * @param {(cells: CellResult[]) => string[]} figuresOf the lines of one group
 */
export function renderSections(report, width, figuresOf) {
  const { comparisons, cells, choices, partial } = report;
  const groups = comparisons.flatMap((comparison) => {
    const group = cells.filter((cell) => cell.group === comparison.group);
    // These formats show next to a cell why it failed or was skipped.
    const remarks = remarksOf(group, ['skipped', 'failed']);
    return [figuresOf(group), remarks.flatMap(({ text, who }) => wrap(`${who}: ${text}`, width))];
  });
  const rows = choices.length > 0 ? gridLines(choicesGrid(choices), { width }) : [];
  const sentences = sentencesAt(report, 'choose').flatMap((text) => wrap(text, width));
  return `${[...groups, rows, sentences, partial ? wrap(PARTIAL_NOTE, width) : []]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
