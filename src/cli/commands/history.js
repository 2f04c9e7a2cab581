import { basename } from 'node:path';
import { listSaved } from '../../index.js';
import { ruledTable } from '../../report/tables/ruled-table.js';
import { printableDeep } from '../../report/words/printable.js';
import { sayOn } from '../output.js';
import { historyFolder } from '../saved.js';

/**
 * @import { Cell } from '../../plan/types.js'
 * @import { SavedResult } from '../../results/types.js'
 * @import { World } from '../types.js'
 */

/**
 * Lists the results that were saved, the newest first.
 *
 * @param {{format: 'table' | 'json'}} options
 * @param {World} world
 */
export async function historyCommand({ format }, { stdout, stderr, env }) {
  const folder = historyFolder(env);
  const saved = folder === null ? [] : await listSaved(folder);
  if (format === 'json') {
    stdout.write(`${JSON.stringify(saved.map(plain), null, 2)}\n`);
    return;
  }
  if (saved.length === 0) {
    sayOn(stderr)(`nothing is saved in ${folder ?? 'a state folder: this user has no home'}`);
    return;
  }
  const rows = saved.map((result) => {
    const { startedAt, suite, measured, cells, runs, complete, file } = plain(result);
    const state = startedAt === null ? 'damaged' : complete ? '' : 'partial';
    const when = startedAt === null ? '' : localTime(new Date(startedAt));
    return [when, suite ?? '', measured ?? '', cells, runs, state, basename(file)];
  });
  const right = /** @type {const} */ ('right');
  stdout.write(
    `${ruledTable(
      ['started', 'suite', 'measured', 'cells', 'runs', '', `in ${folder}`],
      ['left', 'left', 'left', right, right, 'left', 'left'],
      printableDeep(rows),
    )}\n`,
  );
}

/** @param {SavedResult} result */
function plain({ file, header, runs, complete }) {
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

/** What fits beside the rest of a line. */
const SHOWN = 3;

/**
 * @param {Cell[]} cells
 * @returns {string} the axes in short: `redis, ioredis; 4 scenarios; get; 8 tasks`
 */
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
  ].join('; ');
}

/** @param {Date} date @returns {string} such as `2026-11-20 14:30` */
const localTime = (date) => date.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
