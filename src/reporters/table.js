import pico from 'picocolors';
import { nameCells } from '../stats/names.js';
import { ruledTable } from '../text/ruled-table.js';
import { wrap } from '../text/wrap.js';

/** Below this the columns would wrap in the middle of words. */
const NARROW = 76;
const SMOKE_NOTE =
  'A smoke run shows that everything works; it is too short to conclude anything from its figures.';
const RUNS_TITLE = 'average (spread) of each run, ms';

export default {
  id: 'table',
  summary: 'a table for people, the fastest first, with a sentence for each group (default)',

  /**
   * @param {import('../types.js').Report} report
   * @param {import('../types.js').View} view
   */
  render(report, { color, width }) {
    const colors = pico.createColors(color);
    const groups = report.comparisons.map((comparison) => {
      const cells = report.cells.filter((cell) => cell.group === comparison.group);
      const rows = rowsOf(cells, comparison, report);
      return [
        colors.bold(titleOf(cells, report)),
        width < NARROW ? stacked(rows, width, colors) : table(rows, width, colors),
        ...wordsOf(comparison, report.settings.smoke, width),
        ...notesOf(cells, width),
      ].join('\n');
    });
    return `${['', ...groups, ...footer(report, width, colors)].join('\n\n').trimStart()}\n`;
  },
};

/**
 * @param {import('../types.js').Comparison} comparison
 * @param {boolean} smoke
 * @param {number} width
 * @returns {string[]} what the figures say, and why
 */
function wordsOf({ conclusion, explanation }, smoke, width) {
  if (smoke) return wrap(SMOKE_NOTE, width);
  const reasons = explanation.flatMap((sentence) =>
    wrap(sentence, width - 2).map((line, index) => `${index === 0 ? '-' : ' '} ${line}`),
  );
  return [...wrap(conclusion, width), ...(reasons.length > 0 ? ['Why:', ...reasons] : [])];
}

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} cells texts of the columns that are short
 * @property {string[]} runs
 * @property {'fastest' | 'close' | 'slower' | 'failed' | 'skipped' | 'not run'} state
 */

const COLUMNS = ['iterations', 'ops/s', 'slower'];

/**
 * @param {import('../types.js').CellResult[]} cells of one group
 * @param {import('../types.js').Comparison} comparison
 * @param {import('../types.js').Report} report
 * @returns {Row[]} the fastest first, at the end what failed or was skipped
 */
function rowsOf(cells, { ranking }, { settings }) {
  const names = nameCells(cells);
  const ranked = ranking.map(({ cell }) => cell);
  const others = cells.filter(({ id }) => !ranked.includes(id)).map(({ id }) => id);
  return [...ranked, ...others].map((id) => {
    const cell = /** @type {import('../types.js').CellResult} */ (cells.find((each) => each.id === id));
    const place = ranking.find((each) => each.cell === id);
    const iterations = settings.durationMs === null ? number(cell.iterations) : '';
    return {
      name: /** @type {string} */ (names.get(id)),
      cells: [iterations, number(cell.summary?.opsPerSecond ?? null), slowerText(cell, place, ranked[0])],
      runs: cell.skipped ? [] : cell.runs.map(runText),
      state: stateOf(cell, place, ranked[0]),
    };
  });
}

/**
 * @param {import('../types.js').CellResult} cell
 * @param {import('../types.js').Comparison['ranking'][number] | undefined} place
 * @param {string} fastest
 * @returns {Row['state']}
 */
function stateOf(cell, place, fastest) {
  if (cell.skipped !== null) return 'skipped';
  if (place === undefined) return cell.runs.length > 0 ? 'failed' : 'not run';
  if (place.cell === fastest) return 'fastest';
  return place.overlapsFastest ? 'close' : 'slower';
}

/**
 * @param {import('../types.js').CellResult} cell
 * @param {import('../types.js').Comparison['ranking'][number] | undefined} place
 * @param {string} fastest
 */
function slowerText(cell, place, fastest) {
  const state = stateOf(cell, place, fastest);
  if (state === 'slower' || state === 'close') {
    const { timesSlower } = /** @type {NonNullable<typeof place>} */ (place);
    return `${state === 'close' ? '~ ' : ''}${times(timesSlower)}`;
  }
  return state;
}

/** @param {number} ratio */
const times = (ratio) => `${ratio < 9.95 ? ratio.toFixed(1) : Math.round(ratio)}x`;

/** @param {number | null} value */
const number = (value) => (value === null ? '' : Math.round(value).toLocaleString('en-US'));

/** @param {import('../types.js').Run} run */
function runText({ failed, averageMs, spreadMs }) {
  if (failed !== null || averageMs === null || spreadMs === null) return 'failed';
  // Whole milliseconds, as in the original; a decimal where that would hide a tenth of the figure.
  const digits = averageMs < 10 ? 1 : 0;
  return `${averageMs.toFixed(digits)} (${spreadMs.toFixed(digits)})`;
}

/**
 * @param {import('../types.js').CellResult[]} cells
 * @param {import('../types.js').Report} report
 */
function titleOf([{ workload, keySize, valueSize, tasks, topology }], { settings }) {
  const sizes =
    keySize === valueSize
      ? `keys and values of ${number(valueSize)} characters`
      : `keys of ${number(keySize)} and values of ${number(valueSize)} characters`;
  return [
    workload.toUpperCase().replaceAll('-', ' + '),
    settings.value === 'text' ? sizes : `${sizes} (${settings.value})`,
    `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`,
    ...(topology === 'standalone' ? [] : [topology]),
    ...(settings.durationMs === null ? [] : [`${settings.durationMs} ms a run`]),
  ].join(', ');
}

/**
 * @param {Row[]} rows
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 */
function table(rows, width, colors) {
  const withIterations = rows.some(({ cells }) => cells[0] !== '');
  const columns = withIterations ? COLUMNS : COLUMNS.slice(1);
  const short = rows.map(({ cells }) => (withIterations ? cells : cells.slice(1)));
  const widths = [
    Math.max(...rows.map(({ name }) => name.length)),
    ...columns.map((title, index) => Math.max(title.length, ...short.map((cells) => cells[index].length))),
  ];
  // Each column has a blank at its right, the line one at its left.
  const left = width - widths.reduce((sum, each) => sum + each + 2, 1) - 1;
  const runWidth = Math.max(0, ...rows.flatMap(({ runs }) => runs.map((run) => run.length)));
  return ruledTable(
    ['', ...columns, left < RUNS_TITLE.length ? 'runs, ms' : RUNS_TITLE],
    ['left', ...columns.map(() => /** @type {const} */ ('right')), 'left'],
    rows.map(({ name, runs, state }, index) => {
      const paint = painter(state, colors);
      return [paint(name), ...short[index].map(paint), paint(columnsOf(runs, runWidth, left))];
    }),
  );
}

/**
 * @param {string[]} runs
 * @param {number} runWidth
 * @param {number} width there is for them
 * @returns {string} the runs below each other in columns, as many in a line as fit
 */
function columnsOf(runs, runWidth, width) {
  const perLine = Math.max(1, Math.floor((width + 2) / (runWidth + 2)));
  const lines = [];
  for (let start = 0; start < runs.length; start += perLine) {
    lines.push(
      runs
        .slice(start, start + perLine)
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
    .flatMap(({ name, cells: [iterations, opsPerSecond, slower], runs, state }) => {
      const facts = [
        opsPerSecond && `${opsPerSecond} ops/s`,
        slower,
        iterations && `${iterations} iterations`,
      ].filter(Boolean);
      const runWidth = Math.max(0, ...runs.map((run) => run.length));
      const details = [
        ...wrap(facts.join(', '), width - 2),
        ...columnsOf(runs, runWidth, width - 2).split('\n'),
      ];
      return [painter(state, colors)(name), ...details.filter(Boolean).map((line) => `  ${line}`)];
    })
    .join('\n');
}

/**
 * @param {Row['state']} state
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
    slower: plain,
    failed: each(colors.red),
    skipped: each(colors.dim),
    'not run': each(colors.dim),
  }[state];
}

/**
 * @param {import('../types.js').CellResult[]} cells
 * @param {number} width
 * @returns {string[]} what the figures alone don't tell
 */
function notesOf(cells, width) {
  const names = nameCells(cells);
  /** @type {Map<string, string[]>} */
  const notes = new Map();
  /** @param {string} text @param {string} name */
  const add = (text, name) => notes.set(text, [...(notes.get(text) ?? []), name]);
  for (const cell of cells) {
    const name = /** @type {string} */ (names.get(cell.id));
    if (cell.skipped !== null) add(`skipped: ${cell.skipped}`, name);
    for (const { failed, warnings } of cell.runs) {
      if (failed !== null) add(`failed: ${failed}`, name);
      for (const warning of warnings) add(`warning: ${warning}`, name);
    }
  }
  return [...notes].flatMap(([text, whose]) => wrap(`${[...new Set(whose)].join('; ')}: ${text}`, width));
}

/**
 * @param {import('../types.js').Report} report
 * @param {number} width
 * @param {ReturnType<typeof pico.createColors>} colors
 * @returns {string[]}
 */
function footer({ comparisons, environment, server, placements, cells, partial, seed }, width, colors) {
  const close = comparisons.some(({ ranking }) => ranking.slice(1).some((place) => place.overlapsFastest));
  const clients = Object.entries(environment.packages).filter(([name]) =>
    cells.some((cell) => cell.client === name),
  );
  const facts = [
    `Node ${environment.node}`,
    ...clients.map((entry) => entry.join(' ')),
    `${server.kind} ${server.software} ${server.version ?? '(version unknown)'}`,
    `${environment.cpuCount}x ${environment.cpuModel}`,
    ...placements.map((placement) => placementText(placement, placements.length > 1)),
    `seed ${seed}`,
  ];
  return [
    ...(partial ? [colors.yellow('The benchmark ended early; these are the runs until then.')] : []),
    [
      ...(close ? wrap("~ its runs overlap with the fastest cell's: no difference to claim", width) : []),
      ...wrap(facts.join(' · '), width),
    ]
      .map((line) => colors.dim(line))
      .join('\n'),
  ];
}

/**
 * @param {import('../types.js').Placement} placement
 * @param {boolean} oneOfSeveral
 */
function placementText({ pin, serverCpus, workerCpus, note }, oneOfSeveral) {
  const text = note ?? `server on core ${serverCpus?.join(',')}, worker on ${workerCpus?.join(',')}`;
  return oneOfSeveral ? `${pin}: ${text}` : text;
}
