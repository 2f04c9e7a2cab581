import pico from 'picocolors';
import { count } from '../../axes/number-words.js';
import { groupsApart } from '../tables/map-grid.js';
import { toAscii } from '../words/escaped.js';
import { outcomesIn, sentencesAt } from '../words/findings.js';
import { legendOf } from '../words/legend.js';
import { originFacts, placementTexts } from '../words/origin-facts.js';
import { PARTIAL_NOTE, remarksInShort } from '../words/remarks.js';
import { bullets, wrap } from '../words/wrap.js';
import { extrasOf, groupDetails, headedGroups, overviewSigns, overviews, plotOf } from './table/group.js';
import { mapRatesSection, mapSection } from './table/map-section.js';

/** @import { View } from '../../plugins/types.js' */
/** @import { Report } from '../../results/types.js' */
/** @import { Pen } from '../charts/plot.js' */
/** @import { Group } from './table/group.js' */

/** @typedef {View & Pen} Paper what sections are written for */

/** What a first screen may have, so that its command and the prompt still stand in a terminal of 40 lines. */
const LINES = 36;
/** More causes than these are in the details. */
const MOST_CAUSES = 2;

export default {
  id: 'table',
  summary: 'what to do and a table, on one screen; everything behind it with --details (default)',

  /** @param {Report} report @param {View} view */
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
 * What fits a screen: what must be there, then what there is room for.
 * @param {Report} report @param {Paper} paper
 * @returns {{screen: string[][], leftOut: string[][][]}} paragraphs; of each group what there was no room for
 */
function screenOf(report, paper) {
  const { width, colors, plot } = paper;
  const { common, groups } = headedGroups(report, groupsApart(report));
  const { failures, warnings, all } = remarksInShort(groups.flatMap(({ cells }) => cells));
  const [top, maps] = [opening(report, paper), mapSection(report, paper)];
  // The line of conditions says it already.
  const title = sentencesAt(report, 'conditions').length > 0 ? '' : common;
  const table = [...wrap(title, width).map(colors.bold), ...overviews(groups, paper)];
  const failed = failures.flatMap((line) => wrap(line, width));
  const signs = overviewSigns(groups, paper);
  const end = (/** @type {number} */ hidden) => [
    ...partialNote(report, paper),
    ...origin(report, signs, paper),
    ...whereToGoOn(report, hidden, paper),
  ];
  const fits = fitting(LINES - [top, [''], table, failed, [''], end(all)].flat().length);
  const causes = causesOf(report, groups, width).filter(fits);
  const extras = groups.map((group) => extrasOf(group, paper));
  const shown = extras.flat().filter((lines) => fits(['', ...lines]));
  const warned = warnings.map((line) => wrap(line, width)).filter(fits);
  const plots = plot ? groups.map((group) => plotOf(group, paper)) : [];
  return {
    screen: [
      top,
      ...maps,
      [table, ...causes, failed, ...warned].flat(),
      ...shown,
      ...plots,
      end(all - warned.length),
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

/** @param {Report} report @param {Pen} pen @returns {string[]} lines above the tables: what to do, how sure, the conditions */
function opening(report, { width, colors }) {
  const next = sentencesAt(report, 'next');
  const [whatToDo = '', ...others] = report.advice.filter((text) => !next.includes(text));
  return [...wrap(whatToDo, width).map(colors.bold), ...others.flatMap((line) => wrap(line, width))];
}

/** @param {Report} report @param {Pen} pen */
const partialNote = ({ partial }, { width, colors }) =>
  partial ? wrap(PARTIAL_NOTE, width).map(colors.yellow) : [];

/** Where the figures come from, and what signs mean. @param {Report} report @param {string[]} signs @param {Pen} pen @returns {string[]} lines */
const origin = (report, signs, { width, colors }) =>
  wrap([...originFacts(report, placementTexts(report.placements)), ...signs].join(' · '), width).map((line) =>
    colors.dim(line),
  );

/**
 * @param {Report} report @param {number} warnings that stand in the details alone
 * @param {Pen & Pick<View, 'details' | 'detailsCommand'>} pen @returns {string[]} lines
 */
function whereToGoOn(report, warnings, { width, details, detailsCommand }) {
  const what = [
    'all runs',
    'tests',
    'causes',
    'costs',
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ];
  const more = `More: ${detailsCommand ?? '--details'} (${what.join(', ')})${codeHint(report)}`;
  return [...sentencesAt(report, 'next'), ...(details ? [] : [more])].flatMap((text) => wrap(text, width));
}

/** @param {Report} report @returns {string} what names the code, where CPU time is a cause and nothing was profiled */
function codeHint({ findings }) {
  const causes = findings.flatMap((finding) => (finding.kind === 'slower' ? finding.causes : []));
  const ofCpu = causes.flatMap((cause) => (cause.kind === 'cpu' && cause.of === 'client' ? cause : []));
  return ofCpu.length > 0 && ofCpu.every(({ code }) => code === undefined) ? '; --profile: which code' : '';
}

/** @param {Report} report @param {Pen} pen @returns {string[]} lines: how all of it was tested, and what signs mean */
function testing(report, { width, colors }) {
  return [
    ...report.details.flatMap((line) => wrap(line, width)),
    ...legendOf(report, groupsApart(report))
      .flatMap((note) => wrap(note, width))
      .map((line) => colors.dim(line)),
  ];
}
