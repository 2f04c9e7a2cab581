import { OPEN_LOOP_NOTE, openLoopRows } from '../tables/open-loop-rows.js';
import { resultRows } from '../tables/result-rows.js';
import { versionRows, versionTitles } from '../tables/version-table.js';
import { groupTitle } from '../words/group-title.js';
import { legendOf } from '../words/legend.js';
import { runtimesText, usedPackages } from '../words/packages.js';
import { PARTIAL_NOTE, remarksOf } from '../words/remarks.js';
import { serverTexts } from '../words/server-words.js';

/**
 * @import { AssertionResult, Comparison } from '../../analysis/types.js'
 * @import { Report } from '../../results/types.js'
 * @import { Row } from '../tables/result-rows.js'
 */

/** More runs than this would make a row that nobody reads, so the median stands for them. */
const RUNS_SHOWN = 5;

export default {
  id: 'markdown',
  summary: 'a table and the conclusions for a pull request',

  /** @param {Report} report */
  render(report) {
    const groups = report.comparisons.flatMap((comparison) => {
      const cells = report.cells.filter((cell) => cell.group === comparison.group);
      return [
        `### ${plain(groupTitle(cells, report))}`,
        cells[0].openLoop === null
          ? table(resultRows(cells, comparison, report))
          : openLoopTable(openLoopRows(cells, comparison)),
        versionTable(versionRows(cells, comparison.versions)),
        ...(report.settings.smoke ? [] : [plain(comparison.conclusion), ...reasons(comparison)]),
        list(remarksOf(cells).map(({ who, text }) => `${who}: ${text}`)),
      ];
    });
    const parts = [
      ...report.advice.map(plain),
      ...groups,
      list(report.assertions.map(verdict)),
      ...(report.partial ? [`**${PARTIAL_NOTE}**`] : []),
      legend(report),
      footer(report),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  },
};

/** @param {string[]} texts */
const line = (texts) => `| ${texts.join(' | ')} |`;

/** @param {Row[]} rows */
function table(rows) {
  const titles = /** @type {const} */ (['iterations', 'ops/s', '±', 'slower', 'of raw']).filter((title) =>
    rows.some((row) => row.columns[title] !== ''),
  );
  const showRuns = rows.every(({ runs }) => runs.length <= RUNS_SHOWN);
  return [
    line(['', ...titles, ...(showRuns ? ['average (spread) of each run, ms'] : [])]),
    line(['---', ...titles.map(() => '---:'), ...(showRuns ? ['---'] : [])]),
    ...rows.map(({ name, columns, runs, state }) =>
      line([
        state === 'fastest' ? `**${plain(name)}**` : plain(name),
        ...titles.map((title) => plain(columns[title])),
        ...(showRuns ? [runs.join(', ')] : []),
      ]),
    ),
  ].join('\n');
}

/** @param {ReturnType<typeof openLoopRows>} open */
const openLoopTable = ({ titles, rows }) =>
  [
    line(['', ...titles]),
    line(['---', ...titles.map(() => '---:')]),
    ...rows.map(({ name, texts }) => line([plain(name), ...texts.map(plain)])),
  ].join('\n');

/** @param {string[][]} rows the versions in their order */
const versionTable = (rows) =>
  rows.length === 0
    ? ''
    : [
        line(['', ...versionTitles()]),
        line(['---', ...versionTitles().map(() => '---:')]),
        ...rows.map((row) => line(row.map(plain))),
      ].join('\n');

/** @param {Report} report */
function legend(report) {
  const notes = [
    ...(report.cells.some(({ openLoop }) => openLoop !== null) ? [OPEN_LOOP_NOTE] : []),
    ...legendOf(report),
  ];
  return notes.length === 0 ? '' : `<sub>${plain(notes.join(' · '))}</sub>`;
}

/** @param {AssertionResult} assertion */
const verdict = ({ text, strict, holds, figures }) =>
  `${holds ? '✅ holds' : '❌ failed'}${strict ? ' (strict)' : ''}: ${text}${holds ? '' : ` (${figures.join('; ')})`}`;

/** @param {Comparison} comparison */
const reasons = ({ explanation }) => (explanation.length > 0 ? ['Why:', list(explanation)] : []);

/** @param {string[]} texts */
const list = (texts) => texts.map((text) => `- ${plain(text)}`).join('\n');

/** @param {Report} report */
function footer(report) {
  const { environment, placements, seed } = report;
  const facts = [
    `Node ${runtimesText(report)}`,
    ...usedPackages(report).map((entry) => entry.join(' ')),
    ...serverTexts(report),
    `${environment.cpuCount}x ${environment.cpuModel}`,
    ...placements.map(({ pin, note }) => note ?? `pinned ${pin}`),
    `seed ${seed}`,
  ];
  return `<sub>${plain(facts.join(' · '))}</sub>`;
}

/**
 * @param {string} text
 * @returns {string} on one line, escaped for Markdown, HTML, and a site's mentions and issue links
 */
const plain = (text) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[@#](?=\w)/g, '$&<!-- -->');
