import pico from 'picocolors';
import { isMap } from '../tables/map-grid.js';
import { toAscii } from '../words/escaped.js';
import { groupDetails, groupOverview } from './table/group.js';
import { mapRatesSection, mapSection } from './table/map-section.js';
import { opening, origin, partialNote, testing } from './table/notes.js';

/**
 * @import { View } from '../../plugins/types.js'
 * @import { Report } from '../../results/types.js'
 * @import { Pen } from '../charts/plot.js'
 */

/**
 * @typedef {View & Pen} Paper what sections are written for
 * @typedef {(report: Report, paper: Paper) => string[][]} Section gives paragraphs
 */

/** What fits a screen, in the order in which it is asked. @type {Section[]} */
const FIRST_SCREEN = [
  (report, paper) => [opening(report, paper)],
  (report, paper) =>
    isMap(report)
      ? mapSection(report, paper)
      : report.comparisons.map((each) => groupOverview(each, report, paper)),
  (report, paper) => [partialNote(report, paper)],
  (report, paper) => [origin(report, paper)],
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

  /**
   * @param {Report} report
   * @param {View} view
   */
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
