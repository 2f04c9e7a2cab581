import { percent, whole } from '../../../core/report/figures.js';
import { gridLines, gridOf } from '../../../core/report/grid.js';
import { factText } from '../words/fact-words.js';

/** @import { Calibration } from '../../types.js' */

/** What a calibration measured, and how. @param {Calibration} calibration @param {number} width */
export function ceilingTable({ server, placement, size, poll, results }, width) {
  const table = gridLines(
    gridOf(results, ({ transport }) => ({ name: transport }), [
      { title: 'connections', text: ({ connections }) => `${connections}` },
      { title: 'depth', text: ({ depth }) => `${depth}` },
      { title: 'ops/s', text: ({ opsPerSecond }) => whole(opsPerSecond) },
      { title: 'p50 µs', text: ({ p50Us }) => p50Us.toFixed(1) },
      { title: 'p99 µs', text: ({ p99Us }) => p99Us.toFixed(1) },
      { title: 'CPU µs/op', text: ({ cpuUsPerOp }) => cpuUsPerOp.toFixed(2) },
      { title: 'server busy', text: ({ serverBusy }) => (serverBusy === null ? '' : percent(serverBusy)) },
    ]),
    { width },
  );
  const lines = [
    `GET of ${size} characters on ${server.kind === 'external' ? 'an' : 'a'} ${server.kind} ${server.software} ${server.version ?? ''}, one Node process; every reply byte was`,
    'compared with what it must be, and the server counted the same number of commands.',
    poll
      ? 'The event loop polled, so that waking up is not in these figures; --no-poll lets it sleep as clients do.'
      : 'The event loop slept until a reply came, as clients do.',
    placement.note
      ? factText(placement.note)
      : `Server on core ${placement.serverCpus?.join(',')}, the rest on ${placement.workerCpus?.join(',')}.`,
  ];
  return `${[...table, ...lines].join('\n')}\n`;
}
