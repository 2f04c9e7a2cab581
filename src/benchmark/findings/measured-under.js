import { max, median } from 'simple-statistics';
import { axesOf } from '../../axes/all-axes.js';
import { isOff } from '../../core/statistics/latency.js';
import { metricNamed, samplesOf } from '../../core/store/metrics/metric-values.js';
import { about } from './about.js';

/** @import { CellResult, MeasuredDistance, RelayRun } from '../../core/store/types.js' */
/** @import { Finding } from '../judge/types.js' */

/** What the advice does not cover. @param {CellResult[]} cells @param {boolean} partial @returns {Finding} */
export function notMeasured(cells, partial) {
  const measured = cells.filter(({ summary }) => summary !== null);
  return {
    kind: 'not-measured',
    ...about(measured),
    constant: axesOf(measured).flatMap((axis) => {
      const values = new Set(measured.map((cell) => axis.of(cell)));
      return axis.notMeasured && values.size === 1
        ? [{ axis: axis.id, value: axis.of(measured[0]) ?? null }]
        : [];
    }),
    planned: cells.length,
    skipped: cells.filter((cell) => cell.skipped !== null).length,
    failed: cells.filter((cell) => cell.skipped === null && cell.summary === null).length,
    partial,
    ...repliesOf(measured),
  };
}

/** @param {CellResult[]} cells @returns {{replyBytes?: {low: number, high: number}}} where a user's command is sent and the server counted */
function repliesOf(cells) {
  const own = cells.filter(({ chosen }) => chosen?.workload.madeBy !== undefined);
  const bytes = own.flatMap(({ runs }) => {
    // New connections get other replies too.
    const counted = runs.flatMap(({ server, operations }) =>
      server?.netOutputBytes && server.connections === 0 ? server.netOutputBytes / operations : [],
    );
    return counted.length === 0 ? [] : median(counted);
  });
  return bytes.length === 0 ? {} : { replyBytes: { low: Math.min(...bytes), high: Math.max(...bytes) } };
}

/**
 * By PINGs before the runs, and by the relay during them.
 * @param {MeasuredDistance[]} measured @param {CellResult[]} all @returns {Finding[]}
 */
export const distancesFound = (measured, all) =>
  measured.flatMap(({ group, server, cells: of, direct, undelayed, distant }) => {
    const cells = all.filter(
      (cell) => cell.group === group && cell.skipped === null && (of?.includes(cell.id) ?? true),
    );
    const distance = cells[0]?.distance;
    if (distance === undefined) return [];
    const { rttMs } = distance;
    return [
      {
        kind: /** @type {const} */ ('distance'),
        ...about(cells, group),
        ...(server !== undefined && { server }),
        askedUs: rttMs * 1000,
        addedP50Us: distant.p50Us - direct.p50Us,
        addedP99Us: distant.p99Us - direct.p50Us,
        relayUs: undelayed.p50Us - direct.p50Us,
        inRuns: inRuns(cells, rttMs * 1000),
        isOff: isOff(distant.p50Us - direct.p50Us - rttMs * 1000, rttMs),
      },
    ];
  });

/** Of the cell in which the relay was least exact. @param {CellResult[]} cells @param {number} askedUs */
function inRuns(cells, askedUs) {
  const p50s = mediansOf(cells, ({ lateP50Us }) => lateP50Us);
  const p99s = mediansOf(cells, ({ lateP99Us }) => lateP99Us);
  return p50s.length === 0 ? null : { p50Us: askedUs + max(p50s), p99Us: askedUs + max(p99s) };
}

/** One per cell that has any. @param {CellResult[]} cells @param {(run: RelayRun) => number | null} of @returns {number[]} */
const mediansOf = (cells, of) =>
  cells.flatMap(({ runs }) => {
    const values = runs.flatMap(({ relay }) => (relay && of(relay)) ?? []);
    return values.length > 0 ? median(values) : [];
  });

/** Reads of clients that were configured to read from replicas. @param {CellResult[]} cells @returns {Finding[]} */
export function replicaReads(cells) {
  const reading = cells.filter(({ readFrom, summary }) => readFrom === 'replica' && summary !== null);
  const runs = reading.flatMap((cell) => cell.runs.filter(({ failed }) => failed === null));
  const shares = samplesOf(runs, metricNamed('replicaReadShare')).map(({ value }) => value);
  if (shares.length === 0) return [];
  const [lowShare, highShare] = [Math.min(...shares), Math.max(...shares)];
  return [{ kind: 'replica-reads', ...about(reading), lowShare, highShare }];
}
