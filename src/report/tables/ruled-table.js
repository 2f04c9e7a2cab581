import Table from 'cli-table3';

/** One rule below the head and no vertical lines. */
const CHARS = {
  ...Object.fromEntries(
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'].map(
      (name) => [name, ''],
    ),
  ),
  left: '',
  'left-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
  mid: '─',
  'mid-mid': '',
};

/**
 * @param {string[]} head
 * @param {('left' | 'right')[]} colAligns
 * @param {(string | number)[][]} rows
 * @returns {string} without blanks at the ends of lines
 */
export function ruledTable(head, colAligns, rows) {
  const table = new Table({
    head,
    colAligns,
    chars: CHARS,
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true },
  });
  table.push(...rows);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
