import pico from 'picocolors';
import { plotGroup } from '../charts/plot.js';
import { ratePlot } from '../charts/rate-plot.js';
import { costTable } from '../tables/cost-table.js';
import { OPEN_LOOP_NOTE } from '../tables/open-loop-rows.js';
import { openLoopTable } from '../tables/open-loop-table.js';
import { resultRows } from '../tables/result-rows.js';
import { ruledTable } from '../tables/ruled-table.js';
import { versionTable } from '../tables/version-table.js';
import { toAscii } from '../words/ascii.js';
import { groupTitle } from '../words/group-title.js';
import { legendOf } from '../words/legend.js';
import { runtimesText, usedPackages } from '../words/packages.js';
import { placementTexts } from '../words/placement-words.js';
import { PARTIAL_NOTE, remarksOf } from '../words/remarks.js';
import { serverTexts } from '../words/server-words.js';
import { wordsOf } from '../words/why-words.js';
import { wrap } from '../words/wrap.js';

/**
 * @import { Comparison } from '../../analysis/types.js'
 * @import { View } from '../../plugins/types.js'
 * @import { CellResult, Report } from '../../results/types.js'
 * @import { Pen } from '../charts/plot.js'
 * @import { Row, State } from '../tables/result-rows.js'
 */

/** Below this the columns would wrap in the middle of words. */
const NARROW = 76;
const RUNS_TITLE = 'average (spread) of each run, ms';

const COLUMNS = /** @type {const} */ (['iterations', 'ops/s', '±', 'slower', 'of raw']);

export default {
  id: 'table',
  summary: 'a table for people, the fastest first, with a sentence for each group (default)',

  /**
   * @param {Report} report
   * @param {View} view
   */
  render(report, { color, width: columns, plot, unicode }) {
    // Without Unicode, ± takes one more column.
    const width = unicode ? columns : columns - 1;
    const colors = pico.createColors(color);
    const groups = report.comparisons.map((comparison) => {
      const cells = report.cells.filter((cell) => cell.group === comparison.group);
      if (cells[0].openLoop !== null) {
        return openLoopGroup(cells, comparison, report, { width, unicode, colors });
      }
      const rows = resultRows(cells, comparison, report);
      const order = rows.map(({ name }) => name);
      return [
        ...wrap(groupTitle(cells, report), width).map(colors.bold),
        (width < NARROW ? null : table(rows, width, colors)) ?? stacked(rows, width, colors),
        ...versionsOf(comparison, cells, width),
        ...wordsOf(comparison, report.settings.smoke, width),
        ...(report.settings.smoke || width < NARROW ? [] : ['', costTable(cells, order, width)]),
        ...(plot ? spaced(plotGroup(rows, { width, unicode, colors })) : []),
        ...notesOf(cells, width),
      ].join('\n');
    });
    const advice = adviceOf(report.advice, width, colors);
    const text = `${[advice, ...groups, ...footer(report, width, colors)].join('\n\n')}\n`;
    return unicode ? text : toAscii(text);
  },
};

/**
 * @param {CellResult[]} cells
 * @param {Comparison} comparison
 * @param {Report} report
 * @param {Pen} pen
 */
const openLoopGroup = (cells, comparison, report, { width, unicode, colors }) =>
  [
    ...wrap(groupTitle(cells, report), width).map(colors.bold),
    openLoopTable(cells, comparison, width),
    ...(cells[0].openLoop?.search ? spaced(ratePlot(cells, { width, unicode, colors })) : []),
    ...wordsOf(comparison, report.settings.smoke, width),
    ...notesOf(cells, width),
  ].join('\n');

/** @param {string[]} lines @returns {string[]} with blank lines around them */
const spaced = (lines) => (lines.length > 0 ? ['', ...lines, ''] : []);
/**
 * @param {string[]} advice
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 */
function adviceOf([whatToDo, ...reasons], width, colors) {
  return [...wrap(whatToDo, width).map(colors.bold), ...reasons.flatMap((line) => wrap(line, width))].join(
    '\n',
  );
}

/**
 * @param {Comparison} comparison
 * @param {CellResult[]} cells
 * @param {number} width
 * @returns {string[]} the versions in their order; if they do not fit, a line that says so
 */
function versionsOf({ versions }, cells, width) {
  const text = versionTable(cells, versions);
  if (text === '') return [];
  const needed = Math.max(...text.split('\n').map((line) => line.length));
  return needed <= width
    ? ['', text, '']
    : wrap(`The table of versions needs ${needed} columns, and there are ${width}.`, width);
}

/**
 * @param {Row[]} rows
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 * @returns {string | null} null when it does not fit
 */
function table(rows, width, colors) {
  const columns = COLUMNS.filter((title) => rows.some((row) => row.columns[title] !== ''));
  const widths = [
    Math.max(...rows.map(({ name }) => name.length)),
    ...columns.map((title) => Math.max(title.length, ...rows.map((row) => row.columns[title].length))),
  ];
  // Each column has a blank at its right, the line one at its left.
  const left = width - widths.reduce((sum, each) => sum + each + 2, 1) - 1;
  const runWidth = Math.max(0, ...rows.flatMap(({ runs }) => runs.map((run) => run.length)));
  if (left < 0) return null;
  const right = columns.map(() => /** @type {const} */ ('right'));
  const short = rows.map((row) => {
    const paint = painter(row.state, colors);
    return [paint(row.name), ...columns.map((title) => paint(row.columns[title]))];
  });
  // One run a line would make a long table that is mostly blank.
  const most = Math.max(0, ...rows.map(({ runs }) => runs.length));
  if (perLine(runWidth, left) < Math.min(most, FEWEST_BESIDE)) {
    return [ruledTable(['', ...columns], ['left', ...right], short), '', runsBelow(rows, width, colors)].join(
      '\n',
    );
  }
  return ruledTable(
    ['', ...columns, left < RUNS_TITLE.length ? 'runs, ms' : RUNS_TITLE],
    ['left', ...right, 'left'],
    rows.map((row, index) => {
      const paint = painter(row.state, colors);
      return [...short[index], paint(columnsOf(row.runs, runWidth, left))];
    }),
  );
}

/** If fewer runs fit beside the other columns, they have a table of their own. */
const FEWEST_BESIDE = 2;

/** @param {number} runWidth @param {number} width */
const perLine = (runWidth, width) => Math.floor((width + 2) / (runWidth + 2));

/**
 * @param {Row[]} rows
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 */
function runsBelow(rows, width, colors) {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const runWidth = Math.max(...rows.flatMap(({ runs }) => runs.map((run) => run.length)));
  return ruledTable(
    ['', RUNS_TITLE],
    ['left', 'left'],
    rows
      .filter(({ runs }) => runs.length > 0)
      .map(({ name, runs, state }) => {
        const paint = painter(state, colors);
        return [paint(name), paint(columnsOf(runs, runWidth, width - nameWidth - 4))];
      }),
  );
}

/**
 * @param {string[]} runs
 * @param {number} runWidth
 * @param {number} width available for them
 * @returns {string} the runs in columns, as many on a line as fit
 */
function columnsOf(runs, runWidth, width) {
  const inLine = Math.max(1, perLine(runWidth, width));
  const lines = [];
  for (let start = 0; start < runs.length; start += inLine) {
    lines.push(
      runs
        .slice(start, start + inLine)
        .map((run) => run.padEnd(runWidth))
        .join('  ')
        .trimEnd(),
    );
  }
  return lines.join('\n');
}

/**
 * For narrow terminals: two or more short lines a cell.
 *
 * @param {Row[]} rows
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 */
function stacked(rows, width, colors) {
  return rows
    .flatMap(({ name, columns, runs, state }) => {
      const facts = [
        columns['ops/s'] && `${columns['ops/s']} ops/s ${columns['±'] && `± ${columns['±']}`}`.trim(),
        columns.slower,
        columns['of raw'] && `${columns['of raw']} of raw`,
        columns.iterations && `${columns.iterations} iterations`,
      ].filter(Boolean);
      const runWidth = Math.max(0, ...runs.map((run) => run.length));
      const details = [
        ...wrap(facts.join(', '), width - 2),
        ...columnsOf(runs, runWidth, width - 2).split('\n'),
      ];
      return [
        ...wrap(name, width).map(painter(state, colors)),
        ...details.filter(Boolean).map((line) => `  ${line}`),
      ];
    })
    .join('\n');
}

/**
 * @param {State} state
 * @param {ReturnType<typeof pico.createColors>} colors
 */
function painter(state, colors) {
  const plain = (/** @type {string} */ text) => text;
  // Line by line: a colour that crosses a line break would colour the other columns too.
  const each = (/** @type {(text: string) => string} */ paint) => (/** @type {string} */ text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? line : paint(line)))
      .join('\n');
  return {
    fastest: each(colors.green),
    close: plain,
    floor: each(colors.cyan),
    slower: plain,
    failed: each(colors.red),
    skipped: each(colors.dim),
    'too short': each(colors.red),
    'not run': each(colors.dim),
  }[state];
}

/**
 * @param {CellResult[]} cells
 * @param {number} width
 * @returns {string[]} what the figures alone do not say
 */
const notesOf = (cells, width) => remarksOf(cells).flatMap(({ text, who }) => wrap(`${who}: ${text}`, width));

/**
 * @param {Report} report
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 * @returns {string[]}
 */
function footer(report, width, colors) {
  const { environment, placements, cells, partial, seed } = report;
  const facts = [
    `Node ${runtimesText(report)}`,
    ...usedPackages(report).map((entry) => entry.join(' ')),
    ...serverTexts(report),
    `${environment.cpuCount}x ${environment.cpuModel}`,
    ...placementTexts(placements),
    `seed ${seed}`,
  ];
  return [
    ...(partial ? [wrap(PARTIAL_NOTE, width).map(colors.yellow).join('\n')] : []),
    [
      ...(cells.some(({ openLoop }) => openLoop !== null) ? wrap(OPEN_LOOP_NOTE, width) : []),
      ...legendOf(report).flatMap((note) => wrap(note, width)),
      ...wrap(facts.join(' · '), width),
    ]
      .map((line) => colors.dim(line))
      .join('\n'),
  ];
}
