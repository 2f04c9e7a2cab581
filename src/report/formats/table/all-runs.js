import { extentOf, gridLines, namesAbove, titled } from '../../tables/grid.js';
import { runTexts } from '../../tables/result-rows.js';

/** @import { Pen } from '../../charts/plot.js' */
/** @import { Row } from '../../tables/types.js' */

const RUNS_TITLE = 'average (spread) of each run, ms';
/** With fewer columns than this for the runs, names stand above them. */
const LEAST = 24;

/** Every run of every cell. @param {Row[]} all @param {Pen} pen @returns {string[]} lines; none where nothing was run */
export function allRuns(all, { width, colors }) {
  const run = all.filter(({ cell }) => cell.skipped === null && cell.runs.length > 0);
  if (run.length === 0) return [];
  const runs = run.map(({ cell }) => runTexts(cell.runs));
  const runWidth = Math.max(...runs.flat().map((text) => text.length));
  // Of runs of a given time there are no iterations to tell.
  const columns = titled(run.some((row) => row.columns.iterations !== '') ? ['iterations'] : []);
  const rows = run.map(({ name, state, columns: { iterations } }) => ({
    name,
    state,
    texts: columns.map(() => iterations),
  }));
  const isNarrow = width - extentOf({ columns, rows }).needed - 2 < Math.max(LEAST, runWidth);
  const head = isNarrow ? namesAbove(rows) : rows;
  const left = width - extentOf({ columns, rows: head }).needed - 2;
  const title = left < RUNS_TITLE.length ? 'runs, ms' : RUNS_TITLE;
  const blank = { name: '', texts: columns.map(() => '') };
  const grid = {
    columns: [...columns, ...titled([title], 'left')],
    // A row for each line: a cell of many lines takes this table seconds.
    rows: head.flatMap((row, index) =>
      inColumns(runs[index], runWidth, left).map((line, place) => {
        const { texts, ...rest } = place === 0 ? row : { ...blank, state: row.state };
        return { ...rest, texts: [...texts, line] };
      }),
    ),
  };
  return gridLines(grid, { colors, headingWidth: width });
}

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
