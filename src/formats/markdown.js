import { conditionGrid } from '../benchmark/report/tables/condition-grid.js';
import { gridsOf } from '../benchmark/report/tables/group-grids.js';
import { mainGrid } from '../benchmark/report/tables/main-grid.js';
import { ratedNotes } from '../benchmark/report/tables/rated-grid.js';
import { groupsOf, rowColumn, runsInLine } from '../benchmark/report/tables/result-rows.js';
import { factText } from '../benchmark/report/words/fact-words.js';
import { legendOf } from '../benchmark/report/words/legend.js';
import { originFacts } from '../benchmark/report/words/origin-facts.js';
import { PARTIAL_NOTE, remarksOf } from '../benchmark/report/words/remarks.js';
import { inMarkdown } from '../core/report/escaped.js';
import { filledColumns, gridMarkdown, gridOf } from '../core/report/grid.js';

/** @import { FormatPlugin } from '../core/plugins/types.js' */
/** @import { Placement } from '../core/machine/types.js' */
/** @import { AssertionResult } from '../benchmark/judge/types.js' */
/** @import { Report } from '../core/store/types.js' */
/** @import { Group } from '../benchmark/report/tables/result-rows.js' */
/** @import { Grid, Row } from '../core/report/types.js' */

/** Nobody would read a row of more runs. */
const RUNS_SHOWN = 5;

/** @satisfies {FormatPlugin} */
export default {
  id: 'markdown',
  summary: 'conclusions and tables for a pull request',

  render(report) {
    const groups = groupsOf(report);
    const parts = [
      ...report.advice.map(inMarkdown),
      ...gridTables(report),
      ...groups.flatMap(groupOverview),
      list(report.assertions.map(verdict)),
      report.partial ? `**${PARTIAL_NOTE}**` : '',
      small(originFacts(report, report.placements.map(placementText))),
      ...details(report, groups),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  },
};

/** @param {Group} group @returns {string[]} */
const groupOverview = (group) => [
  `### ${inMarkdown(group.title)}`,
  gridMarkdown(mainGrid(group) ?? resultGrid(group.rows)),
  ...gridsOf('markdown', group.cells, group.comparison, true).map(gridMarkdown),
  list(group.comparison.outcome),
  list(remarksOf(group.cells).map(({ who, text }) => `${who}: ${text}`)),
];

/** Which choice is fastest where. @param {Report} report @returns {string[]} */
function gridTables(report) {
  const grid = conditionGrid(report);
  if (grid === null) return [];
  const { title, ...winners } = grid.winners();
  return [
    `### ${inMarkdown(String(title))}`,
    gridMarkdown(winners),
    gridMarkdown(grid.choices),
    small([grid.signs]),
  ];
}

/** @param {Report} report @param {Group[]} groups @returns {string[]} */
function details(report, groups) {
  const texts = (report.settings.smoke ? [] : groups).flatMap(({ comparison, title }) => [
    groups.length > 1 ? `#### ${inMarkdown(title)}` : '',
    inMarkdown(comparison.conclusion),
    ...(comparison.explanation.length > 0 ? ['Why:', list(comparison.explanation)] : []),
  ]);
  const grids = groups.flatMap(({ cells, comparison }) => gridsOf('markdown', cells, comparison, false));
  return [
    '### Details',
    ...texts,
    ...grids.map(gridMarkdown),
    ...report.details.map(inMarkdown),
    small([...ratedNotes(report.cells), ...legendOf(report, report.comparisons)]),
  ];
}

const FIGURES = /** @type {const} */ (['iterations', 'ops/s', '±', 'slower', 'of raw']);

/** @param {Row[]} rows @returns {Grid} */
function resultGrid(rows) {
  const every = rows.every(({ runs }) => runs.length <= RUNS_SHOWN);
  return gridOf(rows, ({ name, state }) => ({ name, state }), [
    ...filledColumns(rows, FIGURES.map(rowColumn)),
    {
      title: `average (spread) of ${every ? 'each run, ms' : 'runs, ms: least–median–most'}`,
      align: 'left',
      text: ({ cell, runs }) => (every ? runs.join(', ') : runsInLine(cell.runs)[1]),
    },
  ]);
}

/** @param {AssertionResult} assertion */
const verdict = ({ text, strict, holds, figures }) =>
  `${holds ? '✅ holds' : '❌ failed'}${strict ? ' (strict)' : ''}: ${text}${holds ? '' : ` (${figures.join('; ')})`}`;

/** @param {string[]} texts */
const list = (texts) => texts.map((text) => `- ${inMarkdown(text)}`).join('\n');

/** @param {string[]} facts */
const small = (facts) => (facts.length === 0 ? '' : `<sub>${inMarkdown(facts.join(' · '))}</sub>`);

/** @param {Placement} placement */
const placementText = ({ pin, note }) => (note ? factText(note) : `pinned ${pin}`);
