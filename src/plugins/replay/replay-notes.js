/**
 * @import { LeftOut } from './plan-replay.js'
 * @import { ReplaySummary } from './summarize-replay.js'
 */

/** Named by their names; the rest by their number. */
const MOST_NAMED = 6;

/**
 * What of a recording a replay does not send, before it starts.
 *
 * @param {string} name of the profile
 * @param {Partial<ReplaySummary>} replay
 * @returns {string[]}
 */
export function replayNotes(
  name,
  { commands = 0, beyond = 0, recorded = 0, sizesKnown = true, inTransactions, unblocked = {}, ...replay },
) {
  const missing = missingText({ recorded, ...replay });
  return [
    ...(missing === '' ? [] : [`${name}: ${missing}`]),
    ...(inTransactions === undefined || inTransactions.transactions === 0
      ? []
      : [`${name}: ${transactionsText(inTransactions)}`]),
    ...(Object.keys(unblocked).length === 0
      ? []
      : [`${name}: a replay never waits for data, so it sends ${namesOf(unblocked)}`]),
    ...(replay.tasks === undefined
      ? []
      : [`${name}: ${whole(replay.tasks)} in flight (p90), which is the default of --tasks`]),
    ...(beyond === 0 ? [] : [`${name}: the first ${whole(commands)} commands are replayed, over and over`]),
    ...(sizesKnown
      ? []
      : [
          `${name}: it holds no sizes of replies, which are assumed: how long replies take is not that of your service`,
        ]),
  ];
}

/** @param {Partial<ReplaySummary>} replay @returns {string} empty where all is replayed */
export function missingText({ recorded = 0, leftOut = [] }) {
  const missing = leftOut.reduce((sum, { commands }) => sum + countOf(commands), 0);
  const reasons = leftOut.map(leftOutText).join('; ');
  return missing === 0 ? '' : `${whole(missing)} of ${whole(recorded)} commands are not replayed: ${reasons}`;
}

/** @param {ReplaySummary['inTransactions']} inTransactions */
const transactionsText = ({ transactions, commands }) =>
  transactions === 1
    ? `1 transaction is one operation, of ${whole(commands)} commands with MULTI and EXEC`
    : `${whole(transactions)} transactions are one operation each, together ${whole(commands)} commands with MULTI and EXEC`;

/** @param {LeftOut} leftOut */
const leftOutText = ({ reason, commands }) => `${namesOf(commands)} (${reason})`;

/** @param {Record<string, number>} commands @returns {string} the most frequent ones, with their numbers */
function namesOf(commands) {
  const named = Object.entries(commands).sort(([, a], [, b]) => b - a);
  const more = named.slice(MOST_NAMED);
  const names = named.slice(0, MOST_NAMED).map(([name, count]) => `${whole(count)} ${name}`);
  const rest = more.length === 0 ? [] : [`${whole(countOf(Object.fromEntries(more)))} others`];
  return [...names, ...rest].join(', ');
}

/** @param {Record<string, number>} commands */
const countOf = (commands) => Object.values(commands).reduce((sum, count) => sum + count, 0);

/** @param {number} count */
const whole = (count) => count.toLocaleString('en-US');
