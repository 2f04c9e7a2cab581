import { PARTIAL_NOTE, warningLines } from './remarks.js';
import { wordsOf } from './why-words.js';
import { wrap } from './wrap.js';

/** @import { CellResult, Report } from '../../results/types.js' */

/**
 * Completes a format that writes only figures: after each group what its figures mean and what makes them
 * doubtful, and at the end what to do.
 *
 * @param {Report} report
 * @param {number} width
 * @param {(cells: CellResult[]) => string[]} figuresOf the lines of one group
 * @returns {string} paragraphs, with a line feed at the end
 */
export function renderSections({ comparisons, cells, settings, advice, partial }, width, figuresOf) {
  const groups = comparisons.flatMap((comparison) => {
    const group = cells.filter((cell) => cell.group === comparison.group);
    return [
      figuresOf(group),
      wordsOf(comparison, settings.smoke, width),
      warningLines(group).flatMap((line) => wrap(line, width)),
    ];
  });
  return `${[...groups, advice.flatMap((line) => wrap(line, width)), partial ? wrap(PARTIAL_NOTE, width) : []]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
