import { groupOf } from '../../../axes/all-axes.js';
import { nameCells } from '../../../axes/cell-names.js';
import { inOneLine } from '../../../report/escaped.js';
import { factText } from '../../../report/fact-words.js';
import { runtimesText } from '../../../report/origin-facts.js';
import { renderSections } from '../report/words/figures-only.js';

/** @import { FormatPlugin } from '../../../plugins/types.js' */
/** @import { CellResult, Run } from '../../../store/types.js' */

/** Lines of Go's own benchmarks. "ns/op" is the time of a run divided by its operations, however many ran at once. @satisfies {FormatPlugin} */
export default {
  summary:
    "a line per run, as Go's benchmarks print them (ns/op, B/op), with the server's CPU; for benchstat",

  render(report, { width }) {
    const { os, arch, cpuModel } = report.environment;
    const head = [
      `goos: ${os.split(',')[0]}`,
      `goarch: ${arch}`,
      `cpu: ${inOneLine(cpuModel)}`,
      `node: ${inOneLine(runtimesText(report))}`,
    ];
    return `${head.join('\n')}\n\n${renderSections(report, width, groupLines)}`;
  },
};

/** @param {CellResult[]} group */
function groupLines(group) {
  const names = nameCells(group);
  const titles = group.map((cell) => benchmarkName(cell, String(names.get(cell.id))));
  const width = Math.max(...titles.map((title) => title.length));
  const lines = group.flatMap((cell, index) => {
    const title = titles[index];
    if (cell.skipped !== null) return [`--- SKIP: ${title}`, `    ${inOneLine(factText(cell.skipped))}`];
    if (cell.runs.length === 0) return [`--- SKIP: ${title}`, '    not run'];
    return cell.runs.map((run) =>
      run.failed === null
        ? `${title.padEnd(width)} ${figures(run)}`
        : `--- FAIL: ${title}\n    ${inOneLine(run.failed)}`,
    );
  });
  // For benchstat: cells of different groups may have the same name.
  return [`pkg: ${groupOf(group[0], ['tasks'])}`, ...lines];
}

/** @param {CellResult} cell @param {string} name @returns {string} with the number of tasks where Go has that of processors */
const benchmarkName = ({ tasks, workload }, name) =>
  `Benchmark${tasks === 1 ? 'Serial' : 'Parallel'}${workload.replace(/(?:^|\W+)(\w?)/g, (_, letter) => letter.toUpperCase())}` +
  `/${name.replaceAll(', ', '/').replace(/\s+/g, '_')}-${tasks}`;

/** @param {Run} run */
function figures({ operations, elapsedMs, client, server }) {
  const bytes = client?.allocatedBytesPerOp;
  const busy = server?.cpuUtilization;
  return [
    String(operations).padStart(9),
    ...(operations === 0 ? [] : [`${Math.round((Number(elapsedMs) * 1e6) / operations)} ns/op`.padStart(16)]),
    ...(bytes == null ? [] : [`${Math.round(bytes)} B/op`.padStart(14)]),
    ...(busy == null ? [] : [`${Math.round(busy * 100)} server-cpu-%`.padStart(18)]),
  ].join(' ');
}
