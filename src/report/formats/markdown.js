import { fieldText, isMap, MAP_SIGNS, mapGrids } from '../tables/map-grid.js';
import { PART_TITLES, partRowsFor } from '../tables/part-rows.js';
import { ratedNotes, ratedRows } from '../tables/rated-rows.js';
import { resultRows } from '../tables/result-rows.js';
import { runsInLine } from '../tables/runs-in-line.js';
import { versionRows, versionTitles } from '../tables/version-table.js';
import { inMarkdown } from '../words/escaped.js';
import { groupTitle, legendOf } from '../words/legend.js';
import { originFacts } from '../words/origin-facts.js';
import { PARTIAL_NOTE, remarksOf } from '../words/remarks.js';

/**
 * @import { AssertionResult, Comparison } from '../../analysis/types.js'
 * @import { Report } from '../../results/types.js'
 * @import { MapGrid } from '../tables/map-grid.js'
 * @import { Row } from '../tables/result-rows.js'
 */

/** More runs than this would make a row that nobody reads. */
const RUNS_SHOWN = 5;

export default {
  id: 'markdown',
  summary: 'conclusions and tables for a pull request',

  /** @param {Report} report */
  render(report) {
    const parts = [
      ...report.advice.map(inMarkdown),
      ...(isMap(report)
        ? mapGrids(report).flatMap(mapTables)
        : report.comparisons.flatMap((comparison) => groupOverview(comparison, report))),
      list(report.assertions.map(verdict)),
      ...(report.partial ? [`**${PARTIAL_NOTE}**`] : []),
      footer(report),
      ...details(report),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  },
};

/** @param {Comparison} comparison @param {Report} report @returns {string[]} its table, and the few sentences that matter */
function groupOverview(comparison, report) {
  const cells = cellsOf(comparison, report);
  return [
    `### ${inMarkdown(groupTitle(cells, report))}`,
    cells[0].openLoop === null
      ? table(resultRows(cells, comparison, report))
      : figuresTable(ratedRows(cells, comparison)),
    versionTable(versionRows(cells, comparison.versions)),
    partTable(partRowsFor(cells, true)),
    list(comparison.outcome),
    list(remarksOf(cells).map(({ who, text }) => `${who}: ${text}`)),
  ];
}

/** @param {MapGrid} map @returns {string[]} who wins where, and what its letters mean */
const mapTables = ({ title, columns, rows, legend }) => [
  `### ${inMarkdown(title)}`,
  figuresTable({
    titles: columns,
    rows: rows.map(({ name, fields }) => ({
      name,
      texts: fields.map((field) => fieldText(field, Number.POSITIVE_INFINITY)),
    })),
  }),
  [
    line(['', 'choice', 'best at', 'at worst', 'where']),
    line(['---', '---', '---', '---:', '---']),
    ...legend.map(({ letter, name, wins, worst, where }) =>
      line([letter, name, wins, worst, where].map(inMarkdown)),
    ),
  ].join('\n'),
  `<sub>${inMarkdown(MAP_SIGNS)}</sub>`,
];

/** @param {Report} report @returns {string[]} tests, corrections and all causes */
function details(report) {
  const { comparisons, settings } = report;
  const titled = comparisons.length > 1;
  const groups =
    settings.smoke || isMap(report)
      ? []
      : comparisons.flatMap((comparison) => [
          titled ? `#### ${inMarkdown(groupTitle(cellsOf(comparison, report), report))}` : '',
          inMarkdown(comparison.conclusion),
          ...reasons(comparison),
        ]);
  const parts = comparisons.map((comparison) => partTable(partRowsFor(cellsOf(comparison, report), false)));
  return ['### Details', ...groups, ...parts, ...report.details.map(inMarkdown), legend(report)];
}

/** @param {Comparison} comparison @param {Report} report */
const cellsOf = ({ group }, { cells }) => cells.filter((cell) => cell.group === group);

/** @param {string[]} texts */
const line = (texts) => `| ${texts.join(' | ')} |`;

/** @param {Row[]} rows */
function table(rows) {
  const titles = /** @type {const} */ (['iterations', 'ops/s', '±', 'slower', 'of raw']).filter((title) =>
    rows.some((row) => row.columns[title] !== ''),
  );
  const every = rows.every(({ runs }) => runs.length <= RUNS_SHOWN);
  const runsTitle = `average (spread) of ${every ? 'each run, ms' : 'runs, ms: least–median–most'}`;
  return [
    line(['', ...titles, runsTitle]),
    line(['---', ...titles.map(() => '---:'), '---']),
    ...rows.map(({ cell, name, columns, runs, state }) =>
      line([
        state === 'fastest' ? `**${inMarkdown(name)}**` : inMarkdown(name),
        ...titles.map((title) => inMarkdown(columns[title])),
        every ? runs.join(', ') : (runsInLine(cell.runs).at(1) ?? ''),
      ]),
    ),
  ].join('\n');
}

/** @param {{titles: string[], rows: {name: string, texts: string[]}[]}} table */
const figuresTable = ({ titles, rows }) =>
  [
    line(['', ...titles]),
    line(['---', ...titles.map(() => '---:')]),
    ...rows.map(({ name, texts }) => line([inMarkdown(name), ...texts.map(inMarkdown)])),
  ].join('\n');

/** @param {ReturnType<typeof partRowsFor>} rows */
const partTable = (rows) => (rows.length === 0 ? '' : figuresTable({ titles: PART_TITLES, rows }));

/** @param {string[][]} rows the versions in their order */
const versionTable = (rows) =>
  rows.length === 0
    ? ''
    : [
        line(['', ...versionTitles()]),
        line(['---', ...versionTitles().map(() => '---:')]),
        ...rows.map((row) => line(row.map(inMarkdown))),
      ].join('\n');

/** @param {Report} report */
function legend(report) {
  const notes = [...ratedNotes(report.cells), ...legendOf(report)];
  return notes.length === 0 ? '' : `<sub>${inMarkdown(notes.join(' · '))}</sub>`;
}

/** @param {AssertionResult} assertion */
const verdict = ({ text, strict, holds, figures }) =>
  `${holds ? '✅ holds' : '❌ failed'}${strict ? ' (strict)' : ''}: ${text}${holds ? '' : ` (${figures.join('; ')})`}`;

/** @param {Comparison} comparison */
const reasons = ({ explanation }) => (explanation.length > 0 ? ['Why:', list(explanation)] : []);

/** @param {string[]} texts */
const list = (texts) => texts.map((text) => `- ${inMarkdown(text)}`).join('\n');

/** @param {Report} report */
function footer(report) {
  const facts = originFacts(
    report,
    report.placements.map(({ pin, note }) => note ?? `pinned ${pin}`),
  );
  return `<sub>${inMarkdown(facts.join(' · '))}</sub>`;
}
