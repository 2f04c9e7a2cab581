import { duration } from '../../../report/figures.js';
import { isOff } from '../../../statistics/latency.js';
import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */

/** How far the server of a group was, by PINGs before the runs. @satisfies {FindingFile<'distance'>} */
export default {
  id: 'distance',
  place: 'warning',

  find: ({ distances, cells: all }) =>
    distances.flatMap(({ group, server, cells: of, direct, undelayed, distant }) => {
      const cells = all.filter(
        (cell) => cell.group === group && cell.skipped === null && (of?.includes(cell.id) ?? true),
      );
      const { rttMs } = cells[0]?.distance ?? {};
      if (rttMs === undefined) return [];
      const [askedUs, addedP50Us] = [rttMs * 1000, distant.p50Us - direct.p50Us];
      return {
        ...about(cells, group),
        ...(server !== undefined && { server }),
        askedUs,
        addedP50Us,
        addedP99Us: distant.p99Us - direct.p50Us,
        relayUs: undelayed.p50Us - direct.p50Us,
        isOff: isOff(addedP50Us - askedUs, rttMs),
      };
    }),

  say: ({ isOff: isWrong, askedUs, addedP50Us }) =>
    isWrong
      ? `the relay added ${duration(addedP50Us)} instead of ${duration(askedUs)} before the runs: this machine is busy, or too slow for that distance`
      : [],

  details: ({ server = 'the server', askedUs, addedP50Us, addedP99Us, relayUs }) => [
    `Distance to ${server}: ${duration(askedUs)} asked for, ${duration(addedP50Us)} added to a PING (p99 ${duration(addedP99Us)}), ${duration(relayUs)} of it by the relay itself.`,
  ],
};
