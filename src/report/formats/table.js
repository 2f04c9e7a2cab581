import pico from 'picocolors';
import { groupsApart } from '../tables/map-grid.js';
import { toAscii } from '../words/escaped.js';
import { nextSteps } from '../words/findings.js';
import { legendOf } from '../words/legend.js';
import { originFacts, placementTexts } from '../words/origin-facts.js';
import { PARTIAL_NOTE } from '../words/remarks.js';
import { wrap } from '../words/wrap.js';
import { groupDetails, overviewSigns, overviews } from './table/group.js';
import { mapRatesSection, mapSection } from './table/map-section.js';

/** @import { View } from '../../plugins/types.js' */
/** @import { Report } from '../../results/types.js' */
/** @import { Pen } from '../charts/plot.js' */

/** @typedef {View & Pen} Paper what sections are written for */
/** @typedef {(report: Report, paper: Paper) => string[][]} Section gives paragraphs */

/** What fits a screen, in the order in which it is asked. @type {Section[]} */
const FIRST_SCREEN = [
  (report, paper) => [opening(report, paper)],
  (report, paper) => [...mapSection(report, paper), ...overviews(groupsApart(report), report, paper)],
  (report, paper) => [partialNote(report, paper)],
  (report, paper) => [[...origin(report, paper), ...whereToGoOn(report, paper)]],
];

/** What stands behind it. @type {Section[]} */
const DETAILS = [
  (report, paper) => mapRatesSection(report, paper),
  (report, paper) => report.comparisons.map((each) => groupDetails(each, report, paper)),
  (report, paper) => [testing(report, paper)],
];

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
    const paragraphs = [...FIRST_SCREEN, ...(details ? DETAILS : [])]
      .flatMap((section) => section(report, paper))
      .filter((lines) => lines.length > 0);
    const text = `${paragraphs.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
    return unicode ? text : toAscii(text);
  },
};

/** @param {Report} report @param {Pen} pen @returns {string[]} lines above the tables: what to do, how sure, the conditions */
function opening(report, { width, colors }) {
  const next = nextSteps(report);
  const [whatToDo = '', ...others] = report.advice.filter((text) => !next.includes(text));
  return [...wrap(whatToDo, width).map(colors.bold), ...others.flatMap((line) => wrap(line, width))];
}

/** @param {Report} report @param {Pen} pen */
const partialNote = ({ partial }, { width, colors }) =>
  partial ? wrap(PARTIAL_NOTE, width).map(colors.yellow) : [];

/** Where the figures come from. @param {Report} report @param {Pen} pen @returns {string[]} lines */
function origin(report, pen) {
  const facts = originFacts(report, placementTexts(report.placements));
  return [...overviewSigns(groupsApart(report), report, pen), ...wrap(facts.join(' · '), pen.width)].map(
    (line) => pen.colors.dim(line),
  );
}

/** @param {Report} report @param {Pen & Pick<View, 'details' | 'detailsCommand'>} pen @returns {string[]} lines */
function whereToGoOn(report, { width, details, detailsCommand }) {
  const more = `More: ${detailsCommand ?? '--details'} (all runs, tests, causes, costs)${codeHint(report)}`;
  return [...nextSteps(report), ...(details ? [] : [more])].flatMap((text) => wrap(text, width));
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
