import { inMarkdown } from './escaped.js';
import { gridLines, gridMarkdown } from './grid.js';
import { wrap } from './wrap.js';

/** @import { Grid } from './types.js' */

/** What a command prints: sentences, tables with their titles, notes. @typedef {{lead: string[], grids: (Grid & {title?: string})[], notes: string[]}} Paper */

/** @param {Paper} paper @param {number} width @returns {string[]} lines, with a blank one between its parts */
export function paperLines({ lead, grids, notes }, width) {
  const linesOf = (/** @type {string[]} */ texts) => texts.flatMap((text) => wrap(text, width));
  const tables = grids.map((grid) => [...wrap(grid.title ?? '', width), ...gridLines(grid, { width })]);
  return [linesOf(lead), ...tables, linesOf(notes)]
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** @param {Paper} paper @returns {string} for a pull request */
function paperMarkdown({ lead, grids, notes }) {
  const list = (/** @type {string[]} */ texts) => texts.map((text) => `- ${inMarkdown(text)}`).join('\n');
  const tables = grids.flatMap((grid) =>
    grid.title === undefined ? gridMarkdown(grid) : [`**${inMarkdown(grid.title)}**`, gridMarkdown(grid)],
  );
  const first = lead.length === 1 ? inMarkdown(lead[0]) : list(lead);
  return `${[first, ...tables, list(notes)].join('\n\n')}\n`;
}

/** @template Data @param {(data: Data) => Paper} paperOf @returns the formats of a command that prints it */
export const paperFormats = (paperOf) => ({
  /** @param {Data} data @param {{width: number}} view */
  table: (data, { width }) => `${paperLines(paperOf(data), width).join('\n')}\n`,
  /** @param {Data} data */
  json: (data) => `${JSON.stringify(data, null, 2)}\n`,
  /** @param {Data} data */
  markdown: (data) => paperMarkdown(paperOf(data)),
});
