import { isMap } from '../../tables/map-grid.js';
import { legendOf } from '../../words/legend.js';
import { originFacts, placementTexts } from '../../words/origin-facts.js';
import { PARTIAL_NOTE } from '../../words/remarks.js';
import { wrap } from '../../words/wrap.js';
import { overviewSigns } from './group.js';

/**
 * @import { View } from '../../../plugins/types.js'
 * @import { Report } from '../../../results/types.js'
 * @import { Pen } from '../../charts/plot.js'
 */

/** @param {Report} report @param {Pen} pen @returns {string[]} lines above the tables: what to do, how sure, the conditions */
export function opening({ advice: [whatToDo = '', ...others] }, { width, colors }) {
  return [...wrap(whatToDo, width).map(colors.bold), ...others.flatMap((line) => wrap(line, width))];
}

/** @param {Report} report @param {Pen} pen */
export const partialNote = ({ partial }, { width, colors }) =>
  partial ? wrap(PARTIAL_NOTE, width).map(colors.yellow) : [];

/**
 * Where the figures come from, and which command shows more.
 *
 * @param {Report} report
 * @param {Pen & Pick<View, 'details' | 'detailsCommand'>} pen
 * @returns {string[]} lines
 */
export function origin(report, pen) {
  const { width, colors, details, detailsCommand } = pen;
  const facts = originFacts(report, placementTexts(report.placements));
  return [
    ...(isMap(report) ? [] : overviewSigns(report, pen)),
    ...wrap(facts.join(' · '), width),
    ...(details
      ? []
      : wrap(
          `More: ${detailsCommand ?? '--details'} (all runs, tests, causes, costs)${codeHint(report)}`,
          width,
        )),
  ].map((line) => colors.dim(line));
}

/** @param {Report} report @returns {string} what names the code, where CPU time is a cause and nothing was profiled */
function codeHint({ findings }) {
  const causes = findings.flatMap((finding) =>
    finding.kind === 'slower' || finding.kind === 'why' ? finding.causes : [],
  );
  const ofCpu = causes.flatMap((cause) => (cause.kind === 'client-cpu' ? cause : []));
  return ofCpu.length > 0 && ofCpu.every(({ code }) => code === undefined) ? '; --profile: which code' : '';
}

/** @param {Report} report @param {Pen} pen @returns {string[]} lines: how all of it was tested, and what signs mean */
export function testing(report, { width, colors }) {
  return [
    ...report.details.flatMap((line) => wrap(line, width)),
    ...legendOf(report)
      .flatMap((note) => wrap(note, width))
      .map((line) => colors.dim(line)),
  ];
}
