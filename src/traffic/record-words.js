import { count } from '../core/numbers.js';
import { duration, said, whole } from '../core/report/figures.js';

/** @import { Recorded } from '../benchmark/types.js' */
/** @import { RecordingFigures } from './types.js' */

/** How far a recording is. @param {RecordingFigures & {open: number}} figures @param {RecordingFigures | null} before the last ones */
export function progressText({ atUs, commands, open, names, unparsed }, before) {
  const seconds = (atUs - (before?.atUs ?? 0)) / 1e6;
  const rate = seconds > 0 ? (commands - (before?.commands ?? 0)) / seconds : 0;
  const most = names.map(([name, times]) => `${name} ${whole((times / commands) * 100)} %`).join(', ');
  const lost = unparsed > 0 ? `, ${count(unparsed, 'connection')} not parsed` : '';
  const connections = open > 0 ? `, ${count(open, 'connection')}` : '';
  return `${duration(Math.max(1, atUs))}: ${count(commands, 'command')}, ${whole(rate)}/s${connections}${lost}${most && `: ${most}`}`;
}

/** @param {Recorded} recorded @returns {string[]} what is said at the end */
export function recordedText({ file, failure, figures, bytes }) {
  const { commands, connections, atUs, unparsed, dropped } = figures;
  const each = commands > 0 ? `, ${Number((bytes / commands).toPrecision(2))} bytes per command` : '';
  return said([
    `recorded ${count(commands, 'command')} of ${count(connections, 'connection')} in ${duration(Math.max(1, atUs))} to ${file} (${whole(bytes)} bytes${each})`,
    failure !== null && `the profile is incomplete: ${failure}`,
    unparsed > 0 &&
      `${count(unparsed, 'connection')} switched to something other than RESP and passed unread`,
    dropped > 0 &&
      `${count(dropped, 'command')} ${dropped === 1 ? 'is' : 'are'} missing, because the disk was too slow`,
    commands > 0 && `'redis-pipe-bench profile ${file}' describes it`,
  ]);
}
