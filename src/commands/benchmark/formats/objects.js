import { nameCells } from '../../../axes/cell-names.js';
import { inColumn } from '../../../report/escaped.js';
import { factText } from '../../../report/fact-words.js';
import { cellText, metricNamed } from '../../../store/metrics.js';
import { renderSections } from '../report/words/figures-only.js';

/** @import { Cell } from '../../../run/plan/types.js' */
/** @import { FormatPlugin } from '../../../plugins/types.js' */
/** @import { CellResult } from '../../../store/types.js' */

const COLUMNS = ['transport', 'pipelining'];
const HEAD = ['client', 'connection type', 'pipe size', 'total time', 'objects per second'];
/** The first columns are words, at the left; figures stand at the right. */
const WORDS = 2;
const TITLES = { tcp: 'tcp/ip', unix: 'unix socket', tls: 'tls' };

/** As in the redis_perf test results: the time to store all objects, of the median run. @satisfies {FormatPlugin} */
export default {
  summary: 'a row per cell: connection type, pipe size, total time, objects per second (Markdown)',

  render(report, { width }) {
    const { cells } = report;
    const scenarios = new Set(cells.map((cell) => cell.scenario + JSON.stringify(cell.scenarioOptions)));
    // Groups have no titles here.
    const names = nameCells(cells, scenarios.size === 1 ? [...COLUMNS, 'scenario'] : COLUMNS);
    return renderSections(report, width, (group) => markdown(group, names));
  },
};

/** @param {CellResult[]} group @param {Map<string, string>} names */
function markdown(group, names) {
  const rows = group.map((cell) => [
    inColumn(names.get(cell.id) ?? cell.id),
    TITLES[cell.transport],
    pipeSize(cell),
    ...resultOf(cell),
  ]);
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (/** @type {string[]} */ texts) =>
    `| ${texts.map((text, column) => (column < WORDS ? text.padEnd(widths[column]) : text.padStart(widths[column]))).join(' | ')} |`;
  const rule = widths.map((width, column) => `${'-'.repeat(width - 1)}${column < WORDS ? '-' : ':'}`);
  return [line(HEAD), line(rule), ...rows.map(line)];
}

/** @param {Cell} cell */
function pipeSize({ pipelining, chosen }) {
  if (chosen.pipelining.id === 'explicit') return String(chosen.pipelining.parameter);
  return pipelining === 'none' ? '-' : pipelining;
}

/** @type {(cell: CellResult) => [totalTime: string, objectsPerSecond: string]} */
function resultOf({ skipped, summary, runs }) {
  if (skipped !== null) return ['skipped', inColumn(factText(skipped))];
  if (runs.length === 0) return ['not run', ''];
  if (summary === null) return ['failed', inColumn(runs[0].failed ?? '')];
  const [{ operations }] = runs.filter(({ failed }) => failed === null);
  return [
    // Where nothing was stored, no time tells how long it takes.
    summary.opsPerSecond === 0 ? '' : `${(operations / summary.opsPerSecond).toFixed(3)} s`,
    cellText(metricNamed('opsPerSecond'), summary),
  ];
}
