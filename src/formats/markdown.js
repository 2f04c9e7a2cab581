import { inMarkdown } from '../report/escaped.js';
import { gridMarkdown, legendsOf, withoutBars } from '../report/grid.js';
import { linesAbove, othersOf, wholeText } from '../report/remark-lines.js';

/** @import { FormatPlugin, View } from '../plugins/types.js' */
/** @import { Report, Section, Verdict } from '../report/types.js' */

/** @satisfies {FormatPlugin} */
export default {
  summary: 'the same tables for a pull request; all of them with --details',

  /** @param {Report} report @param {View} view */
  print(report, { details }) {
    const shown = report.sections.filter(({ place }) => details || place !== 'details');
    const parts = [
      `### ${inMarkdown(report.title)}`,
      list(linesAbove(report, details)),
      ...shown.flatMap(sectionParts),
      list(report.verdicts.map(verdictText)),
      list(remarkTexts(report, details)),
      report.facts.length > 0 ? `<sub>${inMarkdown(report.facts.join(' · '))}</sub>` : '',
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  },
};

/** @param {Section} section @returns {string[]} */
const sectionParts = ({ heading, grid, notes = [] }) => [
  heading ? `#### ${inMarkdown(heading)}` : '',
  grid?.note ? inMarkdown(grid.note) : '',
  grid ? gridMarkdown(grid) : '',
  list([...(grid ? legendsOf(withoutBars(grid).columns) : []), ...notes]),
];

/** @param {Report} report @param {boolean} details @returns {string[]} */
const remarkTexts = (report, details) =>
  othersOf(report).flatMap((remark) => (details ? wholeText(remark) : (remark.inShort ?? [])));

/** @param {Verdict} verdict */
const verdictText = ({ text, strict, outcome, figures }) =>
  `${MARKS[outcome]} ${outcome}${strict ? ' (strict)' : ''}: ${text}${outcome === 'holds' ? '' : ` (${figures.join('; ')})`}`;

const MARKS = { holds: '✅', failed: '❌', 'not decided': '❔' };

/** @param {string[]} texts */
const list = (texts) => texts.map((text) => `- ${inMarkdown(text)}`).join('\n');
