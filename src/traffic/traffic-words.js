import { count } from '../axes/number-words.js';
import { duration, percent, said, whole } from '../core/report/figures.js';
import { leftOutText } from './replay-words.js';

/** @import { Spread, TrafficSummary } from './types.js' */

/** What the columns of the commands of a profile mean. */
export const TRAFFIC_NOTE =
  'sent: bytes of one command, its keys included; reply: bytes of its reply; time: until the whole reply passed the ' +
  'relay; found: share of the requested values that existed';

/** @param {TrafficSummary} summary @returns {string} the first line */
export function trafficTitle({ commands, durationUs, connections, perSecond, mostPerSecond }) {
  const most = mostPerSecond > perSecond * 1.1 ? `, peak ${whole(mostPerSecond)}/s` : '';
  return `${count(commands, 'command')} of ${count(connections.opened, 'connection')} in ${duration(durationUs)}: ${whole(perSecond)}/s${most}`;
}

/** What a profile says of its traffic as a whole. @param {TrafficSummary} summary @returns {[term: string, text: string][]} */
export function trafficFacts(summary) {
  const { replyBytes, tookUs, bytes: total, connections, transactions, header } = summary;
  const { hits, misses } = summary;
  const words = summary.errors.slice(0, 5).map(({ word, count: times }) => `${word} ${whole(times)}`);
  /** @type {[string, string][]} */
  const facts = [
    ...replayFacts(summary.replay),
    ['sent', `${spread(summary.sentBytes, bytes)}; ${bytes(total.sent)} in all`],
    ['replies', replyBytes ? `${spread(replyBytes, bytes)}; ${bytes(total.replies)} in all` : 'none'],
    ['time to reply', tookUs ? spread(tookUs, duration) : ''],
    [
      'found',
      hits + misses === 0
        ? 'no values were requested'
        : `${percent(hits / (hits + misses))} of ${whole(hits + misses)} requested values`,
    ],
    ['keys', keysText(summary)],
    [
      'in flight',
      `${spread(summary.underWay, whole)} on a connection; ${spread(summary.underWayInAll, whole)} on all`,
    ],
    [
      'sent together',
      `${percent(summary.together / Math.max(1, summary.commands))} of commands came in the same write as the one before`,
    ],
    ['connections', `${whole(connections.opened)} opened, at most ${whole(connections.most)} at once`],
    ['transactions', transactions > 0 ? whole(transactions) : ''],
    ['messages', connections.pushes > 0 ? `${whole(connections.pushes)} pushed by the server` : ''],
    ['errors', words.join(', ')],
    ['recorded', header.startedAt],
  ];
  return facts.filter(([, text]) => text !== '');
}

/** @param {TrafficSummary['replay']} replay @returns {[term: string, text: string][]} what a replay would send */
function replayFacts(replay) {
  if (replay === undefined) return [];
  if ('refused' in replay) return [['replay', replay.refused]];
  const { commands, beyond, recorded, leftOut, storedBytes, tasks } = replay;
  const share = percent((commands + beyond) / recorded);
  const rest = leftOut.length > 0 ? `; left out: ${leftOutText(leftOut)}` : '';
  const inFlight = `${count(Number(tasks), 'operation')} in flight (p90), the default --tasks of a replay`;
  return [
    ['replay', `sends ${share} of the commands and stores about ${bytes(storedBytes)}${rest}`],
    ['concurrency', tasks === undefined ? '' : inFlight],
  ];
}

/** What is missing in a profile. @param {TrafficSummary} summary @returns {string[]} */
export function trafficWarnings({ cutOff, dropped, keys, connections, reason }) {
  const { unparsed, unparsedBytes } = connections;
  return said([
    cutOff === 'torn' && 'The profile ends in the middle of a line; the lines before it were read.',
    cutOff === 'end' && 'The profile has no closing line: the recording was killed, or is still running.',
    reason === 'full' && 'The recording stopped because the profile could no longer be written.',
    reason === 'most' && 'The recording stopped because the profile reached its largest size.',
    dropped > 0 && `${count(dropped, 'command')} could not be written in time and are not in it.`,
    keys.shared && 'There were too many keys to number each: some share a number.',
    unparsed > 0 &&
      `${count(unparsed, 'connection')} switched to something other than RESP: ${whole(unparsedBytes)} bytes were not parsed.`,
  ]);
}

/** @param {TrafficSummary} summary */
function keysText({ keys: { distinct, top, once } }) {
  if (distinct === 0) return 'none';
  const tops = top.map(
    ({ keys, share }) => `${keys === 1 ? 'top key' : `top ${whole(keys)}`} ${percent(share)}`,
  );
  return said([
    whole(distinct),
    tops.length > 0 && `share of all uses: ${tops.join(', ')}`,
    `${whole(once)} used only once`,
  ]).join('; ');
}

/** @param {Spread} figures @param {(value: number) => string} text */
const spread = ({ p50, p90, p99, max }, text) =>
  `p50 ${text(p50)}, p90 ${text(p90)}, p99 ${text(p99)}, max ${text(max)}`;

/** @param {number} value */
export function bytes(value) {
  if (value < 10_000) return `${whole(value)} B`;
  return value < 10e6 ? `${whole(value / 1000)} kB` : `${whole(value / 1e6)} MB`;
}
