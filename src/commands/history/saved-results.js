import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { count } from '../../numbers.js';
import { printableDeep } from '../../report/escaped.js';
import { gridLines } from '../../report/grid.js';
import { readLines } from '../../store/read.js';
import { lineError } from '../../store/shapes.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Column } from '../../report/types.js' */
/** @import { ResultHeader } from '../../store/types.js' */

/**
 * @typedef {{file: string, header: ResultHeader | null, runs: number, complete: boolean}} SavedResult `header`: null if the file
 *   is damaged; `runs`: failed ones included
 */

const SUFFIX = '.ndjson';

/** Newest first, as names begin with the time. @param {string} folder @returns {Promise<string[]>} paths */
export async function savedFiles(folder) {
  /** @type {string[]} */
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** @type {(folder: string) => Promise<SavedResult[]>} */
export async function listSaved(folder) {
  const saved = [];
  // Sequentially: as fast as in parallel, with less memory.
  for (const file of await savedFiles(folder)) {
    saved.push(await describe(file).catch(() => ({ file, header: null, runs: 0, complete: false })));
  }
  return saved;
}

/** @type {(file: string) => Promise<SavedResult>} */
async function describe(file) {
  let header = null;
  let runs = 0;
  let complete = false;
  for await (const { text, whole } of readLines(file)) {
    header ??= headerOf(text);
    // The store always writes `type` first.
    if (whole && text.startsWith('{"type":"run"')) runs++;
    if (text.startsWith('{"type":"end"')) complete = whole && JSON.parse(text).partial === false;
  }
  return { file, header, runs, complete };
}

/** A full disk leaves empty or torn files. @param {string[]} files newest first @returns {Promise<string | undefined>} */
export async function latestSaved(files) {
  for (const file of files) if (await hasHeader(file).catch(() => false)) return file;
}

/** @param {string} file */
async function hasHeader(file) {
  for await (const { text, whole } of readLines(file)) return whole && headerOf(text) !== null;
  return false;
}

/** @type {(text: string) => ResultHeader} */
function headerOf(text) {
  const line = JSON.parse(text);
  if (line?.type !== 'header' || lineError(line) !== null) throw new Error('no result');
  return line;
}

/** @typedef {ReturnType<typeof savedSummary>} Saved */

/** @param {Saved[]} saved @param {string} folder where they are @param {number} width */
export function historyTable(saved, folder, width) {
  const rows = saved.map(({ startedAt, suite, measured, cells, runs, complete, file }) => {
    const state = startedAt === null ? 'damaged' : complete ? '' : 'partial';
    const what = [suite === 'default' ? '' : suite, measured].filter(Boolean).join(': ');
    const when = startedAt === null ? '' : localTime(new Date(startedAt));
    return { name: basename(file), texts: [what, `${runs}`, state, `${cells}`, when] };
  });
  /** @type {Column[]} */
  const columns = [
    { title: 'measured', align: 'left' },
    { title: 'runs' },
    { title: '', align: 'left' },
    { title: 'cells', rank: 1 },
    { title: 'started', align: 'left', rank: 2 },
  ];
  const grid = { names: { title: 'result' }, columns, rows: printableDeep(rows) };
  return `${[`Saved in ${folder}`, '', ...gridLines(grid, { width })].join('\n')}\n`;
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
    axis(({ tasks }) => count(tasks, 'task'), 'numbers of tasks'),
    axis(({ fault }) => (fault === undefined ? '' : `fault ${fault.name}`), 'faults'),
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {Date} date @returns {string} such as `2026-11-20 14:30` */
const localTime = (date) => date.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
