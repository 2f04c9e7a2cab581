import { printableDeep } from '../core/report/escaped.js';
import { gridLines } from '../core/report/grid.js';

/** @import { Column } from '../core/report/types.js' */
/** @import { Cell } from '../core/plan/types.js' */
/** @import { SavedResult } from './saved-results.js' */

/** @typedef {ReturnType<typeof savedSummary>} Saved */

/** @param {Saved[]} saved @param {string} folder where they are @param {number} width */
export function historyTable(saved, folder, width) {
  const rows = saved.map(({ startedAt, suite, measured, cells, runs, complete, file }) => {
    const state = startedAt === null ? 'damaged' : complete ? '' : 'partial';
    const what = [suite === 'default' ? '' : suite, measured].filter(Boolean).join(': ');
    const when = startedAt === null ? '' : localTime(new Date(startedAt));
    return { name: file.split(/[\\/]/).at(-1) ?? '', texts: [what, `${runs}`, state, `${cells}`, when] };
  });
  /** @type {Column[]} */
  const columns = [
    { title: 'measured', align: 'left' },
    { title: 'runs' },
    { title: '', align: 'left' },
    { title: 'cells', rank: 1 },
    { title: 'started', align: 'left', rank: 2 },
  ];
  const grid = { names: { title: `in ${folder}` }, columns, rows: printableDeep(rows) };
  return `${gridLines(grid, { width }).join('\n')}\n`;
}

/** @param {SavedResult} result of which only the first lines were read */
export function savedSummary({ file, header, runs, complete }) {
  return {
    file,
    startedAt: header?.startedAt ?? null,
    suite: header?.suite.id ?? null,
    measured: header === null ? null : measuredIn(header.cells),
    cells: header?.cells.length ?? 0,
    runs,
    complete,
  };
}

/** The width that the rest of the line leaves. */
const SHOWN = 3;

/** @param {Cell[]} cells @returns {string} the axes in short: `redis, ioredis; 4 scenarios; get; 8 tasks; fault cut` */
function measuredIn(cells) {
  const axis = (/** @type {(cell: Cell) => string} */ of, /** @type {string} */ noun) => {
    const values = [...new Set(cells.map(of))];
    return values.length > SHOWN ? `${values.length} ${noun}` : values.join(', ');
  };
  return [
    axis(({ client, variant }) => (variant === 'default' ? client : `${client}:${variant}`), 'clients'),
    axis(({ scenario }) => scenario, 'scenarios'),
    axis(({ workload }) => workload, 'workloads'),
    `${axis(({ tasks }) => String(tasks), 'counts of')} tasks`,
    axis(({ fault }) => (fault === undefined ? '' : `fault ${fault.name}`), 'faults'),
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {Date} date @returns {string} such as `2026-11-20 14:30` */
const localTime = (date) => date.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
