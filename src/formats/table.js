import pico from 'picocolors';
import { count } from '../axes/number-words.js';
import { conditionGrid } from '../benchmark/report/tables/condition-grid.js';
import { outcomesIn, sentencesAt } from '../benchmark/report/words/findings.js';
import { legendOf } from '../benchmark/report/words/legend.js';
import { originFacts, placementTexts } from '../benchmark/report/words/origin-facts.js';
import { PARTIAL_NOTE, remarksInShort } from '../benchmark/report/words/remarks.js';
import { toAscii } from '../core/report/escaped.js';
import { extentOf, gridLines } from '../core/report/grid.js';
import { bullets, wrap } from '../core/report/wrap.js';
import { extrasOf, groupDetails, headedGroups, overviews, plotOf } from './table/group.js';

/** @import { FormatPlugin, View } from '../core/plugins/types.js' */
/** @import { Report } from '../core/store/types.js' */
/** @import { Pen } from '../benchmark/report/charts/plot.js' */
/** @import { Group } from './table/group.js' */

/** @typedef {View & Pen} Paper what sections are written for */

/** With its command and the prompt, the first screen fits a terminal of 40 lines. */
const LINES = 36;
const MOST_CAUSES = 3;

/** @satisfies {FormatPlugin} */
export default {
  id: 'table',
  summary: 'what to do and a table, on one screen; everything behind it with --details (default)',

  render(report, view) {
    const { details, unicode } = view;
    const paper = {
      ...view,
      colors: pico.createColors(view.color),
      // Without Unicode, ± takes one more column.
      width: unicode ? view.width : view.width - 1,
    };
    const { screen, next, leftOut } = screenOf(report, paper);
    const behind = details ? [...next, ...detailsOf(report, paper, leftOut)] : [];
    const paragraphs = [...screen, ...behind].filter((lines) => lines.length > 0);
    const text = `${paragraphs.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
    return unicode ? text : toAscii(text);
  },
};

/**
 * @param {Report} report @param {Paper} paper
 * @returns {{screen: string[][], next: string[][], leftOut: string[][][]}} paragraphs; `next`: the table or the grid, if there was
 *   room for one of them; `leftOut`: of each group what did not fit
 */
function screenOf(report, paper) {
  const { width, colors } = paper;
  const { common, groups } = headedGroups(report);
  const { failures, warnings, all: remarks } = remarksInShort(groups.flatMap(({ cells }) => cells));
  const top = opening(report, paper);
  // The line of conditions says it already.
  const title = sentencesAt(report, 'conditions').length > 0 ? '' : common;
  const { lines, signs } = overviews(groups, paper);
  const table = [...wrap(title, width).map(colors.bold), ...lines];
  const failed = failures.flatMap((line) => wrap(line, width));
  const rest = [top, [''], failed, [''], ending(report, signs, remarks, paper, '')].flat().length;
  const room = LINES - rest;
  const all = causesOf(report, groups, width);
  const { grid, isPlane } = winnersOf(report, paper, room);
  const height = grid.flatMap((lines) => ['', ...lines]).length;
  // The groups of one condition stand below each other in the table, with their causes.
  const needed = height + table.length + (isPlane ? 0 : all.flat().length);
  const hasGrid = grid.length > 0 && (isPlane || needed <= room || table.length > room);
  const hasTable = !hasGrid || height + table.length <= room;
  const fits = fitting(room - (hasGrid ? height : 0) - (hasTable ? table.length : 0));
  const causes = hasTable ? all.filter(fits) : [];
  const extras = groups.map((group) => extrasOf(group, paper));
  const shown = extras.flat().filter((lines) => fits(['', ...lines]));
  const warned = warnings.map((line) => wrap(line, width)).filter(fits);
  const plots = paper.plot ? groups.map((group) => plotOf(group, paper)) : [];
  return {
    screen: [
      top,
      ...(hasGrid ? grid : []),
      [hasTable ? table : [], ...causes, failed, ...warned].flat(),
      ...shown,
      ...plots,
      ending(report, hasTable ? signs : [], remarks - warned.length, paper, hasTable ? '' : 'tables, '),
    ],
    next: [...(hasGrid ? [] : grid), hasTable ? [] : table],
    leftOut: extras.map((each) => each.filter((lines) => !shown.includes(lines))),
  };
}

/** @param {Report} report @param {Paper} paper @param {string[][][]} leftOut of each group @returns {string[][]} paragraphs */
const detailsOf = (report, paper, leftOut) => [
  ...headedGroups(report).groups.map((group, index) =>
    groupDetails(group, report, paper, leftOut[index] ?? []),
  ),
  testing(report, paper),
];

/** Two blanks between columns, and `2.3x` behind the letters. */
const BESIDE_LETTERS = 10;
/** More letters in a field than fit are counted. */
const FEWEST_LETTERS = 3;

/**
 * Which choice is fastest where.
 * @param {Report} report @param {Paper} paper @param {number} room lines
 * @returns {{grid: string[][], isPlane: boolean}} paragraphs; none where no condition varies
 */
function winnersOf(report, { width, colors }, room) {
  const grid = conditionGrid(report);
  if (grid === null) return { grid: [], isPlane: false };
  const { isPlane } = grid;
  const { names, columns, rows } = grid.winners();
  const forFields = width - extentOf({ names, columns: [], rows }).needed;
  const letters = Math.max(FEWEST_LETTERS, Math.floor(forFields / columns.length) - BESIDE_LETTERS);
  const winners = grid.winners(letters);
  const above = [colors.bold(String(winners.title)), ...gridLines(winners, { width, colors })];
  const signs = wrap(grid.signs, width).map(colors.dim);
  const legend = (/** @type {typeof rows} */ choices) =>
    gridLines({ ...grid.choices, rows: choices }, { width, colors });
  const all = legend(grid.choices.rows);
  if ([above, [''], all, [''], signs].flat().length <= room) return { grid: [above, all, signs], isPlane };
  const named = grid.choices.rows.filter(({ state }) => state !== 'skipped');
  const others = grid.choices.rows.length - named.length;
  const note = others > 0 ? [`${others} more are slower everywhere.`] : [];
  return { grid: [above, [...legend(named), ...note], signs], isPlane };
}

/** @param {number} room lines @returns {(lines: string[]) => boolean} takes these if there is room for them */
function fitting(room) {
  let left = room;
  return ({ length }) => {
    const fits = length <= left;
    if (fits) left -= length;
    return fits;
  };
}

/** @param {Report} report @param {Group[]} groups @param {number} width @returns {string[][]} lines of each cause */
const causesOf = (report, groups, width) =>
  groups
    .flatMap(({ comparison: { group }, heading }) =>
      outcomesIn(report, group).map((text) => (heading === '' ? text : `${heading}: ${text}`)),
    )
    .slice(0, MOST_CAUSES)
    .map((cause) => bullets(cause, width));

/** @param {Report} report @param {Pen} pen @returns {string[]} lines */
function opening(report, { width, colors }) {
  const next = sentencesAt(report, 'next');
  const [whatToDo = '', ...others] = report.advice.filter((text) => !next.includes(text));
  return [...wrap(whatToDo, width).map(colors.bold), ...others.flatMap((line) => wrap(line, width))];
}

/**
 * @param {Report} report @param {string[]} signs of the tables @param {number} warnings that stand in the details alone
 * @param {Paper} paper @param {string} first what else stands there @returns {string[]} lines: where the figures come from, and
 *   what shows more
 */
function ending(report, signs, warnings, { width, colors, details, detailsCommand }, first) {
  const facts = [...originFacts(report, placementTexts(report.placements)), ...signs];
  const hidden = warnings > 0 ? `, ${count(warnings, 'warning')}` : '';
  const more = `More: ${detailsCommand ?? '--details'} (${first}all runs, tests, causes, costs${hidden})${codeHint(report)}`;
  const next = [...sentencesAt(report, 'next'), ...(details ? [] : [more])];
  return [
    ...(report.partial ? wrap(PARTIAL_NOTE, width).map(colors.yellow) : []),
    ...wrap(facts.join(' · '), width).map(colors.dim),
    ...next.flatMap((text) => wrap(text, width)),
  ];
}

/** @param {Report} report @returns {string} where CPU time is a cause and nothing was profiled */
function codeHint({ findings }) {
  const causes = findings.flatMap((finding) => (finding.kind === 'slower' ? finding.causes : []));
  const ofCpu = causes.flatMap((cause) => (cause.kind === 'cpu' && cause.of === 'client' ? cause : []));
  return ofCpu.length > 0 && ofCpu.every(({ code }) => code === undefined) ? '; --profile: which code' : '';
}

/** How all of it was tested, and what signs mean. @param {Report} report @param {Pen} pen */
function testing(report, { width, colors }) {
  const legend = legendOf(report, report.comparisons).flatMap((note) => wrap(note, width));
  return [...report.details.flatMap((line) => wrap(line, width)), ...legend.map(colors.dim)];
}
