import { basename, resolve } from 'node:path';
import { UsageError } from '../../errors.js';

/** @import { LeftOut } from '../../traffic/plan-replay.js' */
/** @import { ReplaySummary } from '../../traffic/summarize-replay.js' */
/** @import { OpenContext } from '../types.js' */

/** @typedef {{file: string, allowPartial?: boolean, hash?: string} & Partial<ReplaySummary>} Replay */

/** With less of a recording, the figures are those of something else. */
const LEAST_SHARE = 0.5;

export default {
  id: 'profile',
  title: 'recorded traffic',
  summary: "the commands of your service, recorded with 'redis-pipe-bench record', in their order",
  syntax: 'profile:traffic.ndjson',
  takesFile: true,
  resets: true,
  checks: { 'a command that only reads': 'shape', 'any other command': 'type' },

  ownOptions: {
    allowPartial: {
      flag: '--allow-partial',
      help: 'replays a recording even if less than half of its commands can be replayed',
      value: { type: 'boolean' },
      default: false,
    },
  },

  /** @param {string | undefined} argument @param {{allowPartial?: boolean}} [options] @returns {Replay} */
  parse(argument, { allowPartial } = {}) {
    if (argument === undefined || argument === '') {
      throw new Error('expected the file of a profile, as in profile:traffic.ndjson');
    }
    return { file: resolve(argument), allowPartial };
  },

  /** @param {Replay} replay @returns {Promise<Replay>} */
  async load({ file, allowPartial = false }) {
    // What reads recordings is heavy, and --help loads this file for its option.
    const { summarizeReplay } = await import('../../traffic/summarize-replay.js');
    const { hashOfFile } = await import('../own-hash.js');
    const replay = await summarizeReplay(file);
    if (!allowPartial && shareOf(replay) < LEAST_SHARE) {
      throw new UsageError(
        `${basename(file)}: ${missingText(replay)}; what is left says little of the service. Add --allow-partial to measure it all the same`,
      );
    }
    return { file, ...replay, hash: await hashOfFile(file) };
  },

  /** @param {Replay} replay */
  files: ({ file, hash = '' }) => [{ file: basename(file), hash }],

  /** @param {Replay} replay */
  titleOf: ({ file }) => `replay of ${basename(file)}`,

  /** @param {Replay} replay */
  data: ({ keys = 1, keyBytes = 1, valueBytes = 1, ratePerSecond = 1, ...replay }) => ({
    keys,
    keyBytes,
    valueBytes,
    ratePerSecond,
    share: shareOf(replay),
    ...(replay.tasks !== undefined && { tasks: replay.tasks }),
  }),

  /** @param {Replay} replay */
  notes: (replay) => replayNotes(basename(replay.file), replay),

  /** @param {Replay} replay @param {OpenContext} context */
  async open({ file }, context) {
    const { openReplay } = await import('../../traffic/open-replay.js');
    return openReplay(file, context);
  },
};

/** @param {Partial<ReplaySummary>} replay @returns {number} of the recorded commands that can be replayed, 0 to 1 */
const shareOf = ({ commands = 0, beyond = 0, recorded = 0 }) => (commands + beyond) / Math.max(1, recorded);

/** Named by their names; the rest by their number. */
const MOST_NAMED = 6;

/**
 * What of a recording a replay does not send, before it starts.
 * @param {string} name of the profile
 * @param {Partial<ReplaySummary>} replay @returns {string[]}
 */
function replayNotes(
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
          `${name}: it has no sizes of replies, so these are assumed: latencies are not those of your service`,
        ]),
  ];
}

/** @param {Partial<ReplaySummary>} replay @returns {string} empty where all is replayed */
function missingText({ recorded = 0, leftOut = [] }) {
  const missing = sum(leftOut.flatMap(({ commands }) => Object.values(commands)));
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
  const rest = more.length === 0 ? [] : [`${whole(sum(more.map(([, count]) => count)))} others`];
  return [...names, ...rest].join(', ');
}

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((all, count) => all + count, 0);

/** @param {number} count */
const whole = (count) => count.toLocaleString('en-US');
