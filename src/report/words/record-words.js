import { count } from '../../axes/number-words.js';
import { duration, said, whole } from './figures.js';
import { leftOutLines } from './replay-words.js';

/** @import { Recorded } from '../../commands/types.js' */
/** @import { AssumedReplies, RecordingFigures } from '../../traffic/types.js' */

/** How far a recording is. @param {RecordingFigures & {open: number}} figures @param {RecordingFigures | null} before the last ones */
export function progressText({ atUs, commands, open, names, unparsed }, before) {
  const seconds = (atUs - (before?.atUs ?? 0)) / 1e6;
  const rate = seconds > 0 ? (commands - (before?.commands ?? 0)) / seconds : 0;
  const most = names.map(([name, times]) => `${name} ${whole((times / commands) * 100)} %`).join(', ');
  const lost = unparsed > 0 ? `, ${count(unparsed, 'connection')} not parsed` : '';
  const connections = open > 0 ? `, ${count(open, 'connection')}` : '';
  return `${duration(Math.max(1, atUs))}: ${count(commands, 'command')}, ${whole(rate)}/s${connections}${lost}${most && `: ${most}`}`;
}

/** @param {AssumedReplies} assumed */
const assumedText = ({ valueBytes, members, mostMembers }) =>
  `MONITOR shows no replies, so these are assumed: every key is there, and no command fails; a string has the size with which the recording last wrote it, otherwise ${valueBytes} bytes; a field, an element or a member has ${valueBytes} bytes; a whole hash, list or set has ${members} of them, and a range as many as were asked for, at most ${mostMembers}; of all other replies only the type is assumed, or nothing`;

/** @param {Recorded} recorded @returns {string[]} what is said at the end */
export function recordedText({ file, failure, figures, assumed, bytes }) {
  const { commands, connections, atUs, unparsed, dropped, script, unreadable } = figures;
  const each = commands > 0 ? `, ${Number((bytes / commands).toPrecision(2))} bytes per command` : '';
  return said([
    `recorded ${count(commands, 'command')} of ${count(connections, 'connection')} in ${duration(Math.max(1, atUs))} to ${file} (${whole(bytes)} bytes${each})`,
    failure !== null && `the profile is incomplete: ${failure}`,
    unparsed > 0 &&
      `${count(unparsed, 'connection')} switched to something other than RESP and passed unread`,
    dropped > 0 &&
      `${count(dropped, 'command')} ${dropped === 1 ? 'is' : 'are'} missing, because the disk was too slow`,
    ...leftOutLines({ script, unreadable }),
    assumed !== null && assumedText(assumed),
    commands > 0 && `'redis-pipe-bench profile ${file}' describes it`,
  ]);
}
