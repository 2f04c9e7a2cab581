import pico from 'picocolors';
import { count } from '../../axes/number-words.js';
import { groupsApart } from '../tables/map-grid.js';
import { toAscii } from '../words/escaped.js';
import { outcomesIn, sentencesAt } from '../words/findings.js';
import { legendOf } from '../words/legend.js';
import { originFacts, placementTexts } from '../words/origin-facts.js';
import { PARTIAL_NOTE, remarksInShort } from '../words/remarks.js';
import { bullets, wrap } from '../words/wrap.js';
import { extrasOf, groupDetails, headedGroups, overviews, plotOf } from './table/group.js';
import { mapRatesSection, mapSection } from './table/map-section.js';

/** @import { FormatPlugin, View } from '../../plugins/types.js' */
/** @import { Report } from '../../results/types.js' */
/** @import { Pen } from '../charts/plot.js' */
/** @import { Group } from './table/group.js' */

/** @typedef {View & Pen} Paper what sections are written for */

/** With its command and the prompt, the first screen fits a terminal of 40 lines. */
const LINES = 36;
const MOST_CAUSES = 2;

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
    const { screen, leftOut } = screenOf(report, paper);
    const behind = details ? detailsOf(report, paper, leftOut) : [];
    const paragraphs = [...screen, ...behind].filter((lines) => lines.length > 0);
    const text = `${paragraphs.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
    return unicode ? text : toAscii(text);
  },
};

/**
 * @param {Report} report @param {Paper} paper
 * @returns {{screen: string[][], leftOut: string[][][]}} paragraphs; of each group what did not fit
 */
function screenOf(report, paper) {
  const { width, colors } = paper;
  const { common, groups } = headedGroups(report, groupsApart(report));
  const { failures, warnings, all } = remarksInShort(groups.flatMap(({ cells }) => cells));
  const [top, maps] = [opening(report, paper), mapSection(report, paper)];
  // The line of conditions says it already.
  const title = sentencesAt(report, 'conditions').length > 0 ? '' : common;
  const { lines, signs } = overviews(groups, paper);
  const table = [...wrap(title, width).map(colors.bold), ...lines];
  const failed = failures.flatMap((line) => wrap(line, width));
  const fits = fitting(
    LINES - [top, [''], table, failed, [''], ending(report, signs, all, paper)].flat().length,
  );
  const causes = causesOf(report, groups, width).filter(fits);
  const extras = groups.map((group) => extrasOf(group, paper));
  const shown = extras.flat().filter((lines) => fits(['', ...lines]));
  const warned = warnings.map((line) => wrap(line, width)).filter(fits);
  const plots = paper.plot ? groups.map((group) => plotOf(group, paper)) : [];
  return {
    screen: [
      top,
      ...maps,
      [table, ...causes, failed, ...warned].flat(),
      ...shown,
      ...plots,
      ending(report, signs, all - warned.length, paper),
    ],
    leftOut: extras.map((each) => each.filter((lines) => !shown.includes(lines))),
  };
}

/** @param {Report} report @param {Paper} paper @param {string[][][]} leftOut of each group @returns {string[][]} paragraphs */
const detailsOf = (report, paper, leftOut) => [
  ...mapRatesSection(report, paper),
  ...headedGroups(report).groups.map((group, index) =>
    groupDetails(group, report, paper, leftOut[index] ?? []),
  ),
  testing(report, paper),
];

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
      outcomesIn(report, group, width, heading === '' ? '' : `${heading}: `),
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
 * @param {Paper} paper @returns {string[]} lines: where the figures come from, and what shows more
 */
function ending(report, signs, warnings, { width, colors, details, detailsCommand }) {
  const facts = [...originFacts(report, placementTexts(report.placements)), ...signs];
  const hidden = warnings > 0 ? `, ${count(warnings, 'warning')}` : '';
  const more = `More: ${detailsCommand ?? '--details'} (all runs, tests, causes, costs${hidden})${codeHint(report)}`;
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
  const legend = legendOf(report, groupsApart(report)).flatMap((note) => wrap(note, width));
  return [...report.details.flatMap((line) => wrap(line, width)), ...legend.map(colors.dim)];
}
