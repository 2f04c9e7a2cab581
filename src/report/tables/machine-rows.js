import { median } from 'simple-statistics';
import { latencyOf } from '../../analysis/statistics/latency.js';
import { nameCells } from '../../axes/cell-names.js';
import { duration, whole } from '../words/figures.js';
import { fittingTable } from './fitting-columns.js';

/** @import { CellResult, MachineFigures } from '../../results/types.js' */

export const MACHINE_TITLES = ['ops/s', 'p50', 'p99', 'max', 'CPU', 'started after the first'];

export const MACHINES_NOTE =
  'Each machine apart: medians of its runs, latencies of all of them together, the latest start';

/**
 * What each machine did of the runs whose load came from several.
 *
 * @param {CellResult[]} cells of one group
 * @returns {{name: string, texts: string[]}[]} none where there was one machine at most
 */
export function machineRows(cells) {
  const names = nameCells(cells);
  return cells.flatMap((cell) => {
    const all = cell.runs.flatMap(({ machines = [] }) => machines);
    const machines = [...new Set(all.map(({ name }) => name))];
    if (machines.length < 2) return [];
    const own = names.get(cell.id) ?? cell.id;
    return machines.map((name) => ({
      name: `${own}: ${name}`,
      texts: textsOf(all.filter((figures) => figures.name === name)),
    }));
  });
}

/** @param {MachineFigures[]} runs of one machine @returns {string[]} */
function textsOf(runs) {
  const latency = latencyOf(runs.flatMap((run) => (run.latency === null ? [] : run.latency.hdr)));
  return [
    whole(median(runs.map(({ opsPerSecond }) => opsPerSecond))),
    ...(latency === null ? ['', '', ''] : [latency.p50Us, latency.p99Us, latency.maxUs].map(duration)),
    `${Math.round(median(runs.map(({ cpuUtilization }) => cpuUtilization)) * 100)} %`,
    `${Math.max(...runs.map(({ startedAfterMs }) => startedAfterMs)).toFixed(1)} ms`,
  ];
}

/**
 * @param {CellResult[]} cells of one group
 * @param {number} width
 * @returns {string} empty where there was one machine at most
 */
export function machineTable(cells, width) {
  const rows = machineRows(cells);
  return rows.length === 0 ? '' : fittingTable(MACHINE_TITLES, rows, width);
}
