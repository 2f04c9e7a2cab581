import { count } from '../../numbers.js';
import { duration, percent, said, whole } from '../../report/figures.js';
import { gridOf, titled } from '../../report/grid.js';
import { leftOutText } from './words.js';

/** @import { Spread, TrafficSummary } from './describe-profile.js' */
/** @import { Grid, Report } from '../../report/types.js' */

const MOST_ROWS = 12;

const NOTE =
  'sent: bytes of one command, its keys included; reply: bytes of its reply; time: until the whole reply passed the ' +
  'relay; found: share of the requested values that existed';

/** @type {(summary: TrafficSummary) => Report} */
export function trafficReport(summary) {
  const { commands, durationUs, connections, perSecond, mostPerSecond, header, file } = summary;
  const most = mostPerSecond > perSecond * 1.1 ? `, peak ${whole(mostPerSecond)}/s` : '';
  const inAll = `${count(commands, 'command')} of ${count(connections.opened, 'connection')}`;
  const warnings = trafficWarnings(summary);
  return {
    title: `${inAll} in ${duration(durationUs)}: ${whole(perSecond)}/s${most}`,
    facts: [file, `recorded ${header.startedAt}`, `${header.tool.name} ${header.tool.version}`],
    sections: [
      { place: 'first', grid: commandGrid(summary), notes: [NOTE] },
      { place: 'first', grid: spreadGrid(summary) },
      { place: 'room', heading: 'What a replay sends, and keys', grid: factGrid(summary) },
    ],
    remarks: warnings.map((text) => ({ text, inShort: text })),
    verdicts: [],
  };
}

/** @param {TrafficSummary} summary @returns {Grid} the most frequent first */
const commandGrid = ({ names }) => ({
  most: MOST_ROWS,
  ...gridOf(
    names,
    ({ name, errors }) => ({ name: errors > 0 ? `${name} (${count(errors, 'error')})` : name }),
    [
      { title: 'commands', text: (row) => whole(row.count) },
      { title: 'share', text: ({ share }) => percent(share) },
      { title: 'sent p50', text: ({ sentBytes }) => bytes(sentBytes.p50) },
      { title: 'sent p99', text: ({ sentBytes }) => bytes(sentBytes.p99) },
      { title: 'reply p50', text: ({ replyBytes }) => (replyBytes ? bytes(replyBytes.p50) : '') },
      { title: 'reply p99', text: ({ replyBytes }) => (replyBytes ? bytes(replyBytes.p99) : '') },
      { title: 'time p50', text: ({ tookUs }) => (tookUs ? duration(tookUs.p50) : '') },
      { title: 'time p99', text: ({ tookUs }) => (tookUs ? duration(tookUs.p99) : '') },
      { title: 'found', text: ({ hitRate }) => (hitRate === null ? '' : percent(hitRate)) },
    ],
  ),
});

/** @param {TrafficSummary} summary @returns {Grid} how much what differs from command to command */
function spreadGrid({ sentBytes, replyBytes, tookUs, inFlight, underWayInAll, bytes: total }) {
  /** @type {[string, Spread | null, (value: number) => string, string][]} */
  const rows = [
    ['sent', sentBytes, bytes, bytes(total.sent)],
    ['replies', replyBytes, bytes, bytes(total.replies)],
    ['time to reply', tookUs, duration, ''],
    ['in flight, on a connection', inFlight, whole, ''],
    ['in flight, on all', underWayInAll, whole, ''],
  ];
  return {
    columns: titled(['p50', 'p90', 'p99', 'max', 'in all']),
    rows: rows.flatMap(([name, spread, text, inAll]) =>
      spread ? [{ name, texts: [...[spread.p50, spread.p90, spread.p99, spread.max].map(text), inAll] }] : [],
    ),
  };
}

/** @type {(summary: TrafficSummary) => Grid} */
function factGrid(summary) {
  const { connections, transactions, hits, misses, errors } = summary;
  const words = errors.slice(0, 5).map(({ word, count: times }) => `${word} ${whole(times)}`);
  const together = percent(summary.together / Math.max(1, summary.commands));
  const facts = [
    ...replayFacts(summary.replay),
    [
      'found',
      hits + misses > 0 && `${percent(hits / (hits + misses))} of ${count(hits + misses, 'requested value')}`,
    ],
    ['keys', keysText(summary)],
    ['sent together', `${together} of commands came in the same write as the one before`],
    ['connections', `${whole(connections.opened)} opened, at most ${whole(connections.most)} at once`],
    ['transactions', transactions > 0 && whole(transactions)],
    ['messages', connections.pushes > 0 && `${whole(connections.pushes)} pushed by the server`],
    ['errors', words.join(', ')],
  ];
  const rows = facts.flatMap(([name, text]) => (text ? [{ name: `${name}`, texts: [text] }] : []));
  return { columns: titled([''], 'left'), rows };
}

/** @param {TrafficSummary['replay']} replay @returns {[term: string, text: string][]} what a replay would send */
function replayFacts(replay) {
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

/** @type {(summary: TrafficSummary) => string[]} */
function trafficWarnings({ cutOff, dropped, keys, connections, reason }) {
  const { unparsed, unparsedBytes } = connections;
  return said([
    cutOff === 'torn' && 'The profile ends in the middle of a line; the lines before it were read.',
    cutOff === 'end' && 'The profile has no closing line: the recording was killed, or is still running.',
    reason === 'full' && 'The recording stopped because the profile could no longer be written.',
    reason === 'most' && 'The recording stopped because the profile reached its largest size.',
    dropped > 0 && `${count(dropped, 'command')} could not be written in time and are not in it.`,
    keys.shared && 'There were too many keys to number each: some share a number.',
    unparsed > 0 &&
      `${count(unparsed, 'connection')} had something other than commands and replies (MONITOR, SYNC, CLIENT REPLY, no RESP): ${whole(unparsedBytes)} bytes were not parsed.`,
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

/** @param {number} value */
function bytes(value) {
  if (value < 10_000) return `${whole(value)} B`;
  return value < 10e6 ? `${whole(value / 1000)} kB` : `${whole(value / 1e6)} MB`;
}
