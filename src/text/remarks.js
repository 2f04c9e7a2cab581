import { nameSubjects } from '../stats/names.js';

export const PARTIAL_NOTE = 'The benchmark ended early; these are the runs until then.';

/**
 * What the figures alone don't tell: what was skipped, what failed and what makes a run doubtful.
 *
 * @param {import('../types.js').CellResult[]} cells of one group
 * @returns {{text: string, names: string[]}[]} each remark once, with the cells that it is about
 */
export function remarksOf(cells) {
  const names = nameSubjects(cells);
  /** @type {Map<string, Set<string>>} */
  const remarks = new Map();
  for (const cell of cells) {
    const name = /** @type {string} */ (names.get(cell.id));
    const texts = [
      ...(cell.skipped === null ? [] : [`skipped: ${cell.skipped}`]),
      ...cell.runs.flatMap(({ failed, warnings }) => [
        ...(failed === null ? [] : [`failed: ${failed}`]),
        ...warnings.map((warning) => `warning: ${warning}`),
      ]),
    ];
    for (const text of texts) remarks.set(text, (remarks.get(text) ?? new Set()).add(name));
  }
  return [...remarks].map(([text, whose]) => ({ text, names: [...whose] }));
}

/**
 * @param {import('../types.js').CellResult[]} cells of one group
 * @returns {string[]} for formats that have beside a cell why it failed or was skipped: the rest
 */
export const warningLines = (cells) =>
  remarksOf(
    cells.map((cell) => ({
      ...cell,
      skipped: null,
      runs: cell.runs.map((run) => ({ ...run, failed: null })),
    })),
  ).map(({ text, names }) => `${names.join('; ')}: ${text}`);
