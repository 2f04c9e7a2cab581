import { nameSubjects } from '../axes/cell-names.js';
import { mean } from '../descriptive-statistics.js';
import { perSecond, ratioShort } from '../report/figures.js';
import { firstTable, gridOf } from '../report/grid.js';

/** @import { BenchmarkEvent } from '../commands/benchmark/types.js' */
/** @import { Cell } from '../run/plan/types.js' */
/** @import { Pen } from '../report/grid.js' */
/** @import { Bar, ColumnOf, State } from '../report/types.js' */

/** More rows stand in the report. */
const MOST_ROWS = 16;

/** @typedef {{cell: Cell, name: string, warm: number, rates: number[], hasFailed: boolean}} Live */
/** @typedef {{name: string, rate: number, most: number, rates: number[], behind: string, state: State | undefined}} Row */

/** @type {ColumnOf<Row, string | Bar>[]} as in the report */
const COLUMNS = [
  {
    title: '',
    align: 'left',
    text: ({ rate, rates, most }) =>
      rate > 0 ? { value: rate, low: Math.min(rate, ...rates), high: Math.max(rate, ...rates), most } : '',
  },
  { title: 'ops/s', text: ({ rate }) => (rate > 0 ? perSecond(rate) : '') },
  { title: 'behind', text: ({ behind }) => behind },
];

/**
 * The table of a group in a closed loop while it is measured: each cell by its warm-up until it has runs, the fastest first. Nothing
 * is tested yet.
 * @param {Cell[]} cells @param {string} heading empty where there is one group
 */
export function createLiveTable(cells, heading) {
  const names = nameSubjects(cells);
  /** @type {Map<string, Live>} */
  const lives = new Map(
    cells
      .filter(({ openLoop }) => !openLoop)
      .map((cell) => [
        cell.id,
        { cell, name: names.get(cell.id) ?? cell.id, warm: 0, rates: [], hasFailed: false },
      ]),
  );
  return {
    /** @param {BenchmarkEvent} event */
    onEvent(event) {
      if (event.type !== 'warmed' && event.type !== 'run-end') return;
      const live = lives.get(event.cell.id);
      if (live === undefined) return;
      if (event.type === 'warmed') live.warm = event.perMs * event.cell.tasks * 1000;
      else if (event.run.failed !== null) live.hasFailed = true;
      else if (event.run.opsPerSecond !== null && !event.run.awake) live.rates.push(event.run.opsPerSecond);
    },

    /** @param {Pen} pen @param {number} most lines @returns {string[]} none while nothing is known of any, or of a single cell */
    lines(pen, most) {
      const rows = rowsOf([...lives.values()]);
      if (rows.length < 2 || rows.every(({ rate }) => rate === 0)) return [];
      const linesOf = (/** @type {number} */ shown) => {
        const headOf = (/** @type {Row} */ row) => ({
          name: row.name,
          state: row.state,
          heading: row === rows[0] ? heading : '',
        });
        const { lines } = firstTable(gridOf(rows.slice(0, shown), headOf, COLUMNS), pen);
        return shown < rows.length ? [...lines, ` … ${rows.length - shown} more`] : lines;
      };
      for (let shown = Math.min(MOST_ROWS, rows.length); shown > 0; ) {
        const lines = linesOf(shown);
        if (lines.length <= most) return lines;
        // A row takes two lines where names are long.
        shown -= Math.ceil((lines.length - most) / 2);
      }
      return [];
    },
  };
}

/** @param {Live[]} lives @returns {Row[]} the fastest first, then what is not known */
function rowsOf(lives) {
  const known = lives.map((live) => ({ ...live, rate: rateOf(live) })).sort((a, b) => b.rate - a.rate);
  const most = Math.max(...known.flatMap(({ rate, rates }) => [rate, ...rates]));
  const best = known.find(({ cell, rate }) => !cell.floor && rate > 0);
  return known.map((live) => {
    const { name, rate, rates, hasFailed, cell } = live;
    const look = { name, rate, rates, most };
    if (hasFailed) return { ...look, behind: 'failed', state: 'failed' };
    if (cell.floor) return { ...look, behind: 'floor', state: 'floor' };
    if (live === best) return { ...look, behind: 'best?', state: 'fastest' };
    const ratio = Number(best?.rate) / rate;
    return {
      ...look,
      behind: rate > 0 ? ratioShort({ ratio, verdict: 'not decided' }) : '',
      state: undefined,
    };
  });
}

/** @param {Live} live @returns {number} operations per second, 0 if not known */
const rateOf = ({ warm, rates, hasFailed }) => {
  if (hasFailed) return 0;
  return rates.length > 0 ? Math.exp(mean(rates.map(Math.log))) : warm;
};
