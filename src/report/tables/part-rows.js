import { nameCells } from '../../axes/cell-names.js';
import { metricNamed } from '../../metrics/metric-values.js';
import { duration, whole } from '../words/figures.js';
import { fittingTable } from './fitting-columns.js';

/**
 * @import { Summary } from '../../analysis/types.js'
 * @import { CellResult, Latency, RunPart } from '../../results/types.js'
 */

const LATENCIES = /** @type {const} */ (['p50Us', 'p99Us', 'p999Us', 'maxUs']);

export const PART_TITLES = ['count', '/s', ...LATENCIES.map((id) => metricNamed(id).title)];

export const PARTS_NOTE = 'Each command apart: the latencies of all runs together';

/** More would push everything else off the first screen, and stand with the details. */
const MOST_IN_SHORT = 12;

/** @param {CellResult[]} cells @param {boolean} inShort whether for the first screen, or for the details */
export function partRowsFor(cells, inShort) {
  const rows = partRows(cells);
  return rows.length <= MOST_IN_SHORT === inShort ? rows : [];
}

/**
 * What the runs of the cells were made of.
 *
 * @param {CellResult[]} cells of one group
 * @returns {{name: string, texts: string[]}[]} none where all operations are alike
 */
export function partRows(cells) {
  const names = nameCells(cells);
  return cells
    .map((cell) => ({ cell, name: names.get(cell.id) ?? cell.id }))
    .sort((a, b) => (b.cell.summary?.opsPerSecond ?? 0) - (a.cell.summary?.opsPerSecond ?? 0))
    .flatMap(({ cell: { summary }, name }) =>
      (summary ? partsIn(summary) : []).map((part) => ({
        name: `${name}${part.name}`,
        texts: textsOf(part),
      })),
    );
}

/**
 * @param {Summary} summary
 * @returns {Omit<RunPart, 'company'>[]} what was told apart; before company, the measured operations all together
 */
function partsIn({ parts = [], latency, opsPerSecond, openLoop }) {
  // A short run need not come to every command of a recording.
  const sent = parts.filter(({ company, count }) => company || count > 0);
  const named = sent.map((part) => ({ ...part, name: `: ${part.name}` }));
  if (latency === null || !parts.some(({ company }) => company)) return named;
  // As in the table of the rates.
  const own = { ...latency, p99Us: openLoop?.p99Us ?? latency.p99Us };
  return [
    { name: '', count: latency.count, perSecond: openLoop?.achievedPerSecond ?? opsPerSecond, latency: own },
    ...named,
  ];
}

/** @param {Omit<RunPart, 'company'>} part */
const textsOf = ({ count, perSecond, latency }) => [
  whole(count),
  perSecond < 10 ? perSecond.toFixed(1) : whole(perSecond),
  ...LATENCIES.map((id) => latencyText(id, latency)),
];

/** From microseconds to seconds: no unit fits them all. @param {typeof LATENCIES[number]} id @param {Latency | null} latency */
const latencyText = (id, latency) => (latency === null ? '' : duration(latency[id]));

/**
 * @param {CellResult[]} cells of one group
 * @param {number} width
 * @param {boolean} inShort
 * @returns {string} empty where all operations are alike
 */
export function partTable(cells, width, inShort) {
  const rows = partRowsFor(cells, inShort);
  return rows.length === 0 ? '' : fittingTable(PART_TITLES, rows, width);
}
