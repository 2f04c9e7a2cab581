import { createColors } from '../report/colors.js';
import { count } from '../report/figures.js';
import { firstTable, gridLines, withFewer } from '../report/grid.js';
import { linesAbove, linesBelow, othersOf, wholeText } from '../report/remark-lines.js';
import { wrap } from '../report/wrap.js';

/** @import { FormatPlugin } from '../plugins/types.js' */
/** @import { Pen } from '../report/grid.js' */
/** @import { Grid, Report, Section } from '../report/types.js' */

/** The first screen. */
const LINES = 32;
const MOST_HEADINGS = 4;

/** @satisfies {FormatPlugin} */
export default {
  summary: 'tables, and what to choose, on one screen; everything behind it with --details (default)',

  print(report, view) {
    const pen = { colors: createColors(view.color), width: view.width };
    const paragraphs = view.details ? allOf(report, pen) : firstScreen(report, view.detailsCommand, pen);
    return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
  },
};

/**
 * What a first screen leaves out: `excess`: lines that are too many; `notes`: of its sections.
 * @typedef {{excess: number, notes: string[]}} LeftOut
 */

/** @type {LeftOut} */
const NOTHING = { excess: 0, notes: [] };

/**
 * @param {Report} report @param {Section[]} sections @param {Pen} pen @param {string} more what else there is
 * @param {LeftOut} [out] @param {boolean} [isWhole] what failed, in full
 * @returns {string[][]} paragraphs
 */
const paragraphsOf = (report, sections, pen, more, out, isWhole) =>
  [
    [...wrap(report.title, pen.width).map(pen.colors.bold), ...wrap(report.summary ?? '', pen.width)],
    linesAbove(report, isWhole)
      .flatMap((text) => wrap(text, pen.width))
      .map(pen.colors.red),
    ...sections.map((section) => sectionLines(section, pen, out)),
    linesBelow(report).flatMap((text) => wrap(text, pen.width)),
    [...wrap(report.facts.join(' · '), pen.width).map(pen.colors.dim), ...wrap(more, pen.width)],
  ].filter((lines) => lines.length > 0);

/** @param {Report} report @param {Pen} pen @returns {string[][]} */
function allOf(report, pen) {
  const details = report.sections.filter(({ place }) => place === 'details');
  const others = report.sections.filter(({ place }) => place !== 'details');
  const remarks = othersOf(report).flatMap((remark) => wrap(wholeText(remark), pen.width));
  const behind = [...details.map((section) => sectionLines(section, pen)), remarks];
  return [
    ...paragraphsOf(report, others, pen, '', NOTHING, true),
    ...behind.filter((lines) => lines.length > 0),
  ];
}

/**
 * Where there is no room for all, further tables give way first, then notes, then rows.
 * @param {Report} report @param {string | null} command that prints the details @param {Pen} pen @returns {string[][]}
 */
function firstScreen(report, command, pen) {
  const screenOf = (/** @type {Section[]} */ sections, /** @type {LeftOut} */ out) => {
    const rest = report.sections.filter((section) => !sections.includes(section));
    return paragraphsOf(report, sections, pen, whatElse(report, rest, command), out);
  };
  const excessOf = (/** @type {Section[]} */ sections, /** @type {LeftOut} */ out) =>
    screenOf(sections, out).flatMap((lines) => ['', ...lines]).length - 1 - LINES;
  let shown = report.sections.filter(({ place }) => place === 'first');
  if (excessOf(shown, NOTHING) > 0) {
    const yields = shown.flatMap((section) => section.yields ?? []);
    const outs = yields.map((_, last) => ({ excess: 1, notes: yields.slice(0, last + 1) }));
    const all = [{ excess: 1, notes: [] }, ...outs];
    const out = all.find((each) => excessOf(shown, each) <= 0) ?? all[all.length - 1];
    return screenOf(shown, { ...out, excess: Math.max(1, excessOf(shown, out) + 1) });
  }
  for (const section of report.sections.filter(({ place }) => place === 'room')) {
    const more = report.sections.filter((each) => shown.includes(each) || each === section);
    if (excessOf(more, NOTHING) <= 0) shown = more;
  }
  return screenOf(shown, NOTHING);
}

/** @param {Section} section @param {Pen} pen @param {LeftOut} [out] @returns {string[]} */
function sectionLines(section, pen, out = NOTHING) {
  const { heading = '', grid, notes = [] } = section;
  return [
    ...wrap(heading, pen.width).map(pen.colors.bold),
    ...wrap(grid?.note ?? '', pen.width),
    ...(grid ? tableOf(grid, out.excess, pen) : []),
    ...notes.flatMap((note) => (out.notes.includes(note) ? [] : wrap(note, pen.width))),
  ];
}

/** @param {Grid} grid @param {number} excess lines that are too many @param {Pen} pen @returns {string[]} */
function tableOf(grid, excess, pen) {
  if (excess === 0 || grid.most === undefined) return gridLines(grid, pen);
  // One line says how many are hidden.
  const shown = withFewer(grid, excess === 1 ? grid.rows.length : grid.rows.length - excess);
  const { lines, moved } = firstTable(shown, pen);
  const hidden = grid.rows.length - shown.rows.length;
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
