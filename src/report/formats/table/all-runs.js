import { extentOf, gridLines, painter, titled } from '../../tables/grid.js';
import { runTexts } from '../../tables/result-rows.js';
import { wrap } from '../../words/wrap.js';

/** @import { Pen } from '../../charts/plot.js' */
/** @import { Row } from '../../tables/types.js' */

const RUNS_TITLE = 'average (spread) of each run, ms';
/** With fewer columns than this for the runs, names stand above them. */
const LEAST = 24;

/** Every run of every cell. @param {Row[]} rows @param {Pen} pen @returns {string[]} lines; none where nothing was run */
export function allRuns(rows, { width, colors }) {
  const run = rows.filter(({ cell }) => cell.skipped === null && cell.runs.length > 0);
  if (run.length === 0) return [];
  const runs = run.map(({ cell }) => runTexts(cell.runs));
  const runWidth = Math.max(...runs.flat().map((text) => text.length));
  // Of runs of a given time there are no iterations to tell.
  const hasIterations = run.some(({ columns }) => columns.iterations !== '');
  const head = {
    columns: titled(hasIterations ? ['iterations'] : []),
    rows: run.map(({ name, columns }) => ({ name, texts: hasIterations ? [columns.iterations] : [] })),
  };
  const left = width - extentOf(head).needed - 2;
  if (left < Math.max(LEAST, runWidth)) return stacked(run, width, colors);
  const title = left < RUNS_TITLE.length ? 'runs, ms' : RUNS_TITLE;
  const blanks = head.columns.map(() => '');
  const grid = {
    columns: [...head.columns, ...titled([title], 'left')],
    // A row for each line: a cell of many lines takes this table seconds.
    rows: head.rows.flatMap(({ name, texts }, index) =>
      inColumns(runs[index], runWidth, left).map((line, row) => ({
        name: row === 0 ? name : '',
        texts: [...(row === 0 ? texts : blanks), line],
        state: run[index].state,
      })),
    ),
  };
  return gridLines(grid, { colors });
}

/** @param {Row[]} rows @param {number} width @param {Pen['colors']} colors */
const stacked = (rows, width, colors) => [
  ...wrap(RUNS_TITLE, width),
  ...rows.flatMap(({ name, cell, columns, state }) => {
    const iterations = columns.iterations === '' ? '' : `, ${columns.iterations} iterations`;
    const runs = runTexts(cell.runs);
    const runWidth = Math.max(...runs.map((text) => text.length));
    return [
      ...wrap(`${name}${iterations}`, width).map(painter(state, colors)),
      ...inColumns(runs, runWidth, width - 2).map((line) => `  ${line}`),
    ];
  }),
];

/**
 * @param {string[]} runs @param {number} runWidth @param {number} width available for them
 * @returns {string[]} lines of as many as fit
 */
function inColumns(runs, runWidth, width) {
  const inLine = Math.max(1, Math.floor((width + 2) / (runWidth + 2)));
  return Array.from({ length: Math.ceil(runs.length / inLine) }, (_, line) =>
    runs
      .slice(line * inLine, (line + 1) * inLine)
      .map((run) => run.padEnd(runWidth))
      .join('  ')
      .trimEnd(),
  );
}
