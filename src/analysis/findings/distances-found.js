import { max, median } from 'simple-statistics';
import { isOff } from '../statistics/punctual.js';

/**
 * @import { CellResult, MeasuredDistance, RelayRun } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

/**
 * How far away the server of a group really was: by PINGs before its runs, and by the relay during them.
 *
 * @param {MeasuredDistance[]} measured
 * @param {CellResult[]} all
 * @returns {Finding[]}
 */
export const distancesFound = (measured, all) =>
  measured.flatMap(({ group, server, cells: of, direct, undelayed, distant }) => {
    const cells = all.filter(
      (cell) => cell.group === group && cell.skipped === null && (of?.includes(cell.id) ?? true),
    );
    const distance = cells[0]?.distance;
    if (distance === undefined) return [];
    const askedUs = distance.rttMs * 1000;
    const addedP50Us = distant.p50Us - direct.p50Us;
    return {
      kind: 'distance',
      group,
      ...(server !== undefined && { server }),
      cells: cells.map(({ id }) => id),
      askedUs,
      addedP50Us,
      addedP99Us: distant.p99Us - direct.p50Us,
      relayUs: undelayed.p50Us - direct.p50Us,
      inRuns: inRuns(cells, askedUs),
      isOff: isOff(addedP50Us - askedUs, distance.rttMs),
    };
  });

/**
 * @param {CellResult[]} cells
 * @param {number} askedUs
 * @returns {{p50Us: number, p99Us: number} | null} of the cell in which the relay was least exact
 */
function inRuns(cells, askedUs) {
  /** @param {(run: RelayRun) => number | null} of */
  const worst = (of) =>
    cells.flatMap(({ runs }) => {
      const values = runs.flatMap(({ relay }) => (relay && of(relay)) ?? []);
      return values.length > 0 ? median(values) : [];
    });
  const p50s = worst(({ lateP50Us }) => lateP50Us);
  const p99s = worst(({ lateP99Us }) => lateP99Us);
  return p50s.length === 0 ? null : { p50Us: askedUs + max(p50s), p99Us: askedUs + max(p99s) };
}
