import pico from 'picocolors';
import { count } from '../core/report/figures.js';
import { firstTable, gridLines } from '../core/report/grid.js';
import { linesAbove, linesBelow, othersOf, wholeText } from '../core/report/remark-lines.js';
import { wrap } from '../core/report/wrap.js';

/** @import { FormatPlugin } from '../core/plugins/types.js' */
/** @import { Pen } from '../core/report/grid.js' */
/** @import { Grid, Report, Section } from '../core/report/types.js' */

/** The first screen. */
const LINES = 30;
const MOST_HEADINGS = 4;

/** @satisfies {FormatPlugin} */
export default {
  summary: 'tables, and what to choose, on one screen; everything behind it with --details (default)',

  print(report, view) {
    const pen = { colors: pico.createColors(view.color), width: view.width };
    const paragraphs = view.details ? allOf(report, pen) : firstScreen(report, view.detailsCommand, pen);
    return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
  },
};

/**
 * @param {Report} report @param {Section[]} sections @param {Pen} pen @param {string} more what else there is
 * @param {number} [excess] lines that are too many @param {boolean} [isWhole] what failed, in full
 * @returns {string[][]} paragraphs
 */
const paragraphsOf = (report, sections, pen, more, excess, isWhole) =>
  [
    wrap(report.title, pen.width).map(pen.colors.bold),
    linesAbove(report, isWhole)
      .flatMap((text) => wrap(text, pen.width))
      .map(pen.colors.red),
    ...sections.map((section) => sectionLines(section, pen, excess)),
    linesBelow(report).flatMap((text) => wrap(text, pen.width)),
    [...wrap(report.facts.join(' · '), pen.width).map(pen.colors.dim), ...wrap(more, pen.width)],
  ].filter((lines) => lines.length > 0);

/** @param {Report} report @param {Pen} pen @returns {string[][]} */
function allOf(report, pen) {
  const details = report.sections.filter(({ place }) => place === 'details');
  const others = report.sections.filter(({ place }) => place !== 'details');
  const remarks = othersOf(report).flatMap((remark) => wrap(wholeText(remark), pen.width));
  const behind = [...details.map((section) => sectionLines(section, pen)), remarks];
  return [...paragraphsOf(report, others, pen, '', 0, true), ...behind.filter((lines) => lines.length > 0)];
}

/** @param {Report} report @param {string | null} command that prints the details @param {Pen} pen @returns {string[][]} */
function firstScreen(report, command, pen) {
  /** @param {Section[]} sections @param {number} excess lines that are too many */
  const screenOf = (sections, excess) => {
    const rest = report.sections.filter((section) => !sections.includes(section));
    return paragraphsOf(report, sections, pen, whatElse(report, rest, command), excess);
  };
  const excessOf = (/** @type {Section[]} */ sections, /** @type {number} */ cut) =>
    screenOf(sections, cut).flatMap((lines) => ['', ...lines]).length - 1 - LINES;
  let shown = report.sections.filter(({ place }) => place === 'first');
  // Without further tables first; then rows are cut as well.
  const excess = excessOf(shown, 0) <= 0 ? 0 : Math.max(1, excessOf(shown, 1) + 1);
  for (const section of report.sections.filter(({ place }) => place === 'room')) {
    const more = report.sections.filter((each) => shown.includes(each) || each === section);
    if (excess === 0 && excessOf(more, 0) <= 0) shown = more;
  }
  return screenOf(shown, excess);
}

/** @param {Section} section @param {number} excess lines that are too many, and one for what says how many are hidden */
function rowsShown({ grid }, excess) {
  const all = grid?.rows.length ?? 0;
  return excess <= 1 ? all : Math.min(all, Math.max(grid?.most ?? all, all - excess));
}

/** @param {Section} section @param {Pen} pen @param {number} [excess] @returns {string[]} */
function sectionLines(section, pen, excess = 0) {
  const { heading = '', grid, notes = [] } = section;
  const table = grid ? tableOf(grid, rowsShown(section, excess), excess > 0, pen) : [];
  return [
    ...wrap(heading, pen.width).map(pen.colors.bold),
    ...wrap(grid?.note ?? '', pen.width),
    ...table,
    ...notes.flatMap((note) => wrap(note, pen.width)),
  ];
}

/** @param {Grid} grid @param {number} most rows @param {boolean} isCut @param {Pen} pen @returns {string[]} */
function tableOf(grid, most, isCut, pen) {
  if (!isCut || grid.most === undefined) return gridLines(grid, pen);
  const { lines, moved } = firstTable({ ...grid, rows: grid.rows.slice(0, most) }, pen);
  const hidden = grid.rows.length - most;
  const left = [...(hidden > 0 ? [count(hidden, 'more row')] : []), ...moved].join(', ');
  return [
    ...lines,
    ...wrap(left === '' ? '' : `… ${left}: --details`, pen.width - 1).map((line) =>
      pen.colors.dim(` ${line}`),
    ),
  ];
}

/** @param {Report} report @param {Section[]} rest @param {string | null} command that prints it @returns {string} */
function whatElse({ remarks }, rest, command) {
  const hidden = remarks.filter(({ inShort }) => inShort === undefined).length;
  const headings = [...new Set(rest.flatMap(({ heading }) => heading?.toLowerCase() || []))];
  if (headings.length > MOST_HEADINGS) headings.splice(MOST_HEADINGS, headings.length, '…');
  if (hidden > 0) headings.push(count(hidden, 'warning'));
  return headings.length === 0 ? '' : `More: ${command ?? '--details'} (${headings.join(', ')})`;
}
