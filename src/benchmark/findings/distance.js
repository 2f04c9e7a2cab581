import { duration } from '../../core/report/figures.js';
import { isOff } from '../../core/statistics/latency.js';
import { about, defineFinding } from './define.js';

/**
 * How far the server of a group was, by PINGs before the runs. `askedUs`: 0 for a relay without delay; `relayUs`: what the relay itself adds; `isOff`: not as far as was asked for.
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
          isOff: isOff(distant.p50Us - direct.p50Us - askedUs, distance.rttMs),
        },
      ];
    }),

  say: ({ isOff: isWrong, askedUs, addedP50Us }) =>
    isWrong
      ? `the relay added ${duration(addedP50Us)} instead of ${duration(askedUs)} before the runs: this machine is busy, or too slow for that distance`
      : [],

  details: ({ server = 'the server', askedUs, addedP50Us, addedP99Us, relayUs }) => [
    `Distance to ${server}: ${duration(askedUs)} asked for, ${duration(addedP50Us)} added to a PING (p99 ${duration(addedP99Us)}), ${duration(relayUs)} of it by the relay itself.`,
  ],
});
