import { nameCells } from '../../axes/names.js';
import { kilobytes, micro, percent } from '../words/figures.js';
import { ruledTable } from './ruled-table.js';

/**
 * @import { Summary } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/**
 * What the cells of a group cost: medians over the runs.
 *
 * @type {[title: string, text: (summary: Summary) => string][]}
 */
const COLUMNS = [
  ['p50', ({ latency }) => (latency ? micro(latency.p50Us) : '')],
  ['p99', ({ latency }) => (latency ? micro(latency.p99Us) : '')],
  ['client/op', ({ client }) => micro(client.cpuUsPerOp)],
  ['busy', ({ bottleneck }) => percent(bottleneck.clientBusy)],
  ['server/cmd', ({ server }) => micro(server.cpuUsPerCommand)],
  ['busy', ({ bottleneck }) => percent(bottleneck.serverBusy)],
  ['cmds/read', ({ server }) => server.commandsPerRead?.toFixed(1) ?? '?'],
  // Where the tool makes the batches: what a window really was, and what waiting for it cost the client.
  ['batch', ({ batching }) => batching?.commandsPerBatch.toFixed(1) ?? ''],
  ['held', ({ batching }) => (batching ? micro(batching.heldUs) : '')],
  ['waiting/op', ({ batching }) => (batching ? micro(batching.waitingUsPerOp) : '')],
  ['alloc/op', ({ client }) => kilobytes(client.allocatedBytesPerOp)],
];

/**
 * @param {CellResult[]} cells of one group
 * @param {string[]} order names, as the table of results has them
 * @param {number} width the columns that do not fit are left out, from the right
 * @returns {string} empty when no cell gave a result
 */
export function costTable(cells, order, width) {
  const names = nameCells(cells);
  const measured = cells
    .flatMap(({ id, summary }) => (summary ? [{ name: names.get(id) ?? id, summary }] : []))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  if (measured.length === 0) return '';
  const columns = COLUMNS.filter(([, text]) => measured.some(({ summary }) => text(summary) !== ''));
  const texts = measured.map(({ summary }) => columns.map(([, text]) => text(summary)));
  const nameWidth = Math.max(...measured.map(({ name }) => name.length));
  let used = nameWidth + 2;
  const fitting = columns.filter(([title], index) => {
    used += Math.max(title.length, ...texts.map((row) => row[index].length)) + 2;
    return used <= width;
  });
  return ruledTable(
    ['', ...fitting.map(([title]) => title)],
    ['left', ...fitting.map(() => /** @type {const} */ ('right'))],
    measured.map(({ name }, row) => [name, ...texts[row].slice(0, fitting.length)]),
  );
}
