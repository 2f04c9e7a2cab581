import { factText } from '../words/fact-words.js';
import { percent, whole } from '../words/figures.js';
import { gridLines, titled } from './grid.js';

/** @import { Calibration } from '../../commands/types.js' */

/** What a calibration measured, and how. @param {Calibration} calibration */
export function ceilingTable({ server, placement, size, poll, peers, results, notes }) {
  const table = gridLines({
    columns: titled([
      'connections',
      'depth',
      'ops/s',
      'p50 µs',
      'p99 µs',
      'CPU µs/op',
      'server busy',
      ...peers.flatMap((peer) => [peer, 'ratio']),
    ]),
    rows: results.map((result) => ({
      name: result.transport,
      texts: [
        `${result.connections}`,
        `${result.depth}`,
        whole(result.opsPerSecond),
        result.p50Us.toFixed(1),
        result.p99Us.toFixed(1),
        result.cpuUsPerOp.toFixed(2),
        result.serverBusy === null ? '' : percent(result.serverBusy),
        ...peers.flatMap((peer) => peerColumns(result.opsPerSecond, result.peers[peer])),
      ],
    })),
  });
  const lines = [
    `GET of ${size} characters on a ${server.kind} ${server.software} ${server.version ?? ''}, one Node process; every reply byte was`,
    'compared with what it must be, and the server counted the same number of commands.',
    poll
      ? 'The event loop polled, so that waking up is not in these figures; --no-poll lets it sleep as clients do.'
      : 'The event loop slept until a reply came, as clients do.',
    placement.note
      ? factText(placement.note)
      : `Server on core ${placement.serverCpus?.join(',')}, the rest on ${placement.workerCpus?.join(',')}.`,
    ...notes,
  ];
  return `${[...table, ...lines].join('\n')}\n`;
}

/** @param {number} ours @param {number | null} theirs */
const peerColumns = (ours, theirs) =>
  theirs === null ? ['', ''] : [whole(theirs), (ours / theirs).toFixed(2)];
