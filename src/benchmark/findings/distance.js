import { max, median } from 'simple-statistics';
import { duration } from '../../core/report/figures.js';
import { isOff } from '../../core/statistics/latency.js';
import { about } from './about.js';
import { defineFinding } from './define.js';

/** @import { CellResult, RelayRun } from '../../core/store/types.js' */

/**
 * How far the server of a group was, by PINGs before the runs, and by the relay during them: `inRuns`, in the cell where it was
 * least exact. `askedUs`: 0 for a relay without delay; `relayUs`: what the relay itself adds; `isOff`: not as far as was asked for.
 */
export default defineFinding({
  id: 'distance',
  place: 'warning',

  find: ({ distances, cells: all }) =>
    distances.flatMap(({ group, server, cells: of, direct, undelayed, distant }) => {
      const cells = all.filter(
        (cell) => cell.group === group && cell.skipped === null && (of?.includes(cell.id) ?? true),
      );
      const distance = cells[0]?.distance;
      if (distance === undefined) return [];
      const askedUs = distance.rttMs * 1000;
      return [
        {
          ...about(cells, group),
          ...(server !== undefined && { server }),
          askedUs,
          addedP50Us: distant.p50Us - direct.p50Us,
          addedP99Us: distant.p99Us - direct.p50Us,
          relayUs: undelayed.p50Us - direct.p50Us,
          inRuns: inRuns(cells, askedUs),
          isOff: isOff(distant.p50Us - direct.p50Us - askedUs, distance.rttMs),
        },
      ];
    }),

  say: ({ isOff: isWrong, askedUs, addedP50Us }) =>
    isWrong
      ? `the relay added ${duration(addedP50Us)} instead of ${duration(askedUs)} before the runs: this machine is busy, or too slow for that distance`
      : [],

  details: ({ server = 'the server', askedUs, addedP50Us, addedP99Us, relayUs, inRuns: during }) => [
    `Distance to ${server}: ${duration(askedUs)} asked for, ${duration(addedP50Us)} added to a PING (p99 ${duration(addedP99Us)}), ${duration(relayUs)} of it by the relay itself.`,
    ...(during
      ? [`Distance to ${server} during the runs: ${duration(during.p50Us)} (p99 ${duration(during.p99Us)}).`]
      : []),
  ],
});

/** @param {CellResult[]} cells @param {number} askedUs */
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
