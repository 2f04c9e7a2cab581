import { count } from '../../numbers.js';
import { callsText, joined, whole } from '../../report/figures.js';

/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { Fact } from '../../store/types.js' */
/** @import { LeftOut, LeftOutReason } from './types.js' */

/** Why commands of a recording are not replayed, in brackets behind them. @type {Record<LeftOutReason, string>} */
const LEFT_OUT = {
  'set-up': 'the client sets up its connections itself',
  channels: 'channels are not replayed',
  scripts: 'scripts are not recorded',
  watched: 'keys are not watched',
  'not-carried-out': 'of transactions that were not carried out',
  'whole-database': 'they work on the whole database',
  blocks: 'they block',
  groups: 'a replay creates stream groups itself',
  unknown: 'a replay does not know them',
  'many-arguments': 'with more arguments than a profile keeps',
  large: 'with an argument or a reply of more than 64 MB, or an offset of more than 8 MB',
  failed: 'the reply was an error',
  unanswered: 'no reply before the recording ended',
  'in-vain': 'they waited in vain',
  'empty-transaction': 'of transactions with nothing left to replay',
  'large-transaction': 'of transactions of more than 1,000 commands',
};

/** Named by their names; the rest by their number. */
const MOST_NAMED = 6;

/** @param {Record<string, number>} commands @returns {string[]} the most frequent ones, with their numbers */
function namesOf(commands) {
  const named = Object.entries(commands).sort(([, a], [, b]) => b - a);
  const names = named.slice(0, MOST_NAMED).map(([name, times]) => `${whole(times)} ${name}`);
  const rest = named.slice(MOST_NAMED).reduce((sum, [, times]) => sum + times, 0);
  return rest === 0 ? names : [...names, count(rest, 'other')];
}

/** @param {LeftOut[]} leftOut @returns {string} */
export const leftOutText = (leftOut) =>
  leftOut.map(({ reason, commands }) => `${joined(namesOf(commands))} (${LEFT_OUT[reason]})`).join('; ');

/** @type {Partial<WordsOf<Fact>>} */
export const WORDS = {
  'replay-lacks': ({ file, missing, recorded, leftOut = [] }) =>
    `${file}: not replayed: ${whole(missing)} of ${count(recorded, 'command')}, ${leftOutText(leftOut)}`,
  'replay-transactions': ({ file, transactions, sent }) =>
    transactions === 1
      ? `${file}: 1 transaction (${whole(sent)} commands with MULTI and EXEC) counts as one operation`
      : `${file}: ${whole(transactions)} transactions (${whole(sent)} commands with MULTI and EXEC) count as one operation each`,
  'replay-unblocked': ({ file, commands = {} }) =>
    `${file}: a replay never waits for data, so it sends ${joined(namesOf(commands))}`,
  'replay-tasks': ({ file, tasks }) =>
    `${file}: the service had ${count(tasks, 'operation')} in flight (p90), so --tasks defaults to ${tasks}`,
  'replay-beginning': ({ file, sent }) =>
    `${file}: only replays only the first ${count(sent, 'command')}, in a loop`,
  'no-recorded-times': ({ workload }) => `--speed replays recorded times, and ${workload} has none`,
  'part-of-recording': () =>
    'the replayed part has a different rate than the whole recording; a longer --duration covers more',
  'not-replayed': ({ command, why }) =>
    `${command} is not replayed, because it fails on generated data: ${why}`,
  'other-sizes': ({ all, commands = {} }) =>
    `replies of a different size than recorded, of ${count(all, 'different command')}: ${callsText(commands)}`,
  'transactions-left-out': ({ transactions }) =>
    `left out, because they have commands that cannot be replayed: ${count(transactions, 'transaction')}`,
};

/** What --speed does. */
export const SPEED = 'replay --workload profile:FILE at this multiple of its rate: 1,2,10';
