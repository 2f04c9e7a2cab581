/** @import { CellResult, Report, Run } from '../../results/types.js' */

/** @typedef {string | number | boolean | null | undefined} Value */

/** What stands in the rows of a cell. @type {[name: string, of: (cell: CellResult) => Value][]} */
const CELL = [
  ['cell', (cell) => cell.id],
  ['group', (cell) => cell.group],
  ['client', (cell) => cell.client],
  ['version', (cell) => cell.version],
  ['variant', (cell) => cell.variant],
  ['copy', (cell) => cell.copy],
  ['node', (cell) => cell.node],
  ['scenario', (cell) => cell.scenario],
  ['pipelining', (cell) => cell.pipelining],
  ['workload', (cell) => cell.workload],
  ['transport', (cell) => cell.transport],
  ['topology', (cell) => cell.topology],
  ['pin', (cell) => cell.pin],
  ['keySize', (cell) => cell.keySize],
  ['valueSize', (cell) => cell.valueSize],
  ['shortestValue', (cell) => cell.shortestValue],
  ['keys', (cell) => cell.keys],
  ['tasks', (cell) => cell.tasks],
  ['processes', (cell) => cell.processes],
  ['ratePerSecond', (cell) => cell.openLoop?.ratePerSecond],
  ['maxInFlight', (cell) => cell.openLoop?.maxInFlight],
  ['iterations', (cell) => cell.iterations],
  ['skipped', (cell) => cell.skipped],
];

/** What each run adds; empty for a cell that has none. @type {[name: string, of: (run: Run) => Value][]} */
const RUN = [
  ['round', (run) => run.round],
  ['averageMs', (run) => run.averageMs],
  ['spreadMs', (run) => run.spreadMs],
  ['elapsedMs', (run) => run.elapsedMs],
  ['operations', (run) => run.operations],
  ['commands', (run) => run.commands],
  ['opsPerSecond', (run) => run.opsPerSecond],
  ['connections', (run) => run.connections],
  ['p50Us', (run) => run.latency?.p50Us],
  ['p90Us', (run) => run.latency?.p90Us],
  ['p99Us', (run) => run.latency?.p99Us],
  ['p999Us', (run) => run.latency?.p999Us],
  ['maxUs', (run) => run.latency?.maxUs],
  ['held', (run) => run.openLoop?.held],
  ['achievedPerSecond', (run) => run.openLoop?.achievedPerSecond],
  ['scheduled', (run) => run.openLoop?.scheduled],
  ['acknowledged', (run) => run.openLoop?.acknowledged],
  ['waited', (run) => run.openLoop?.waited],
  ['dropped', (run) => run.openLoop?.dropped],
  ['unsent', (run) => run.openLoop?.unsent],
  ['answersTrue', (run) => run.answers?.true],
  ['answersFalse', (run) => run.answers?.false],
  ['inFlightMax', (run) => run.openLoop?.inFlightMax],
  ['latenessP99Us', (run) => run.openLoop?.latenessP99Us],
  ['p99UsFromSend', (run) => run.openLoop?.latencyFromSend?.p99Us],
  ['clientCpuUsPerOp', (run) => run.client?.cpuUsPerOp],
  ['clientCpuUtilization', (run) => run.client?.cpuUtilization],
  ['eventLoopUtilization', (run) => run.client?.eventLoopUtilization],
  ['gcCount', (run) => run.client?.gcCount],
  ['gcPauseMs', (run) => run.client?.gcPauseMs],
  ['allocatedBytesPerOp', (run) => run.client?.allocatedBytesPerOp],
  ['peakRssBytes', (run) => run.client?.peakRssBytes],
  ['serverCpuUsPerCommand', (run) => run.server?.cpuUsPerCommand],
  ['serverCpuUtilization', (run) => run.server?.cpuUtilization],
  ['commandsPerRead', (run) => run.server?.commandsPerRead],
  ['wrongReplies', (run) => run.wrongReplies],
  ['failed', (run) => run.failed],
  ['warnings', (run) => run.warnings.join('; ')],
];

/** RFC 4180. */
const LINE_END = '\r\n';

export default {
  id: 'csv',
  summary: 'a row a run, for spreadsheets (RFC 4180)',

  /** @param {Report} report */
  render({ cells }) {
    const head = [...CELL, ...RUN].map(([name]) => name).join(',');
    const rows = cells.flatMap((cell) => {
      const start = CELL.map(([, of]) => field(of(cell))).join(',');
      // A cell without runs is not left out: it says by its row that it was skipped, or never came to it.
      const runs = cell.runs.length > 0 ? cell.runs : [null];
      return runs.map(
        (run) => `${start},${RUN.map(([, of]) => (run === null ? '' : field(of(run)))).join(',')}`,
      );
    });
    return `${[head, ...rows].join(LINE_END)}${LINE_END}`;
  },
};

/**
 * @param {Value} value
 * @returns {string} quoted where that is needed. Text that a spreadsheet would take for a formula, which
 *   can call programs, gets an apostrophe in front: https://owasp.org/www-community/attacks/CSV_Injection
 */
function field(value) {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
