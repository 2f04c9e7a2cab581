import { basename, resolve } from 'node:path';
import { UsageError } from '../../../errors.js';
import { count, whole } from '../../../numbers.js';

/** @import { ReplayNote } from '../types.js' */
/** @import { ReplaySummary } from '../plan-replay.js' */
/** @import { WorkloadSource } from '../../../plugins/types.js' */

/** @typedef {{file: string, allowPartial?: boolean, hash?: string} & Partial<ReplaySummary>} Replay */

/** Less of a recording does not represent the service. */
const LEAST_SHARE = 0.5;

/** @satisfies {WorkloadSource<Replay>} */
export default {
  summary: "the commands of your service, recorded with 'redis-pipe-bench record', in their order",

  ownOptions: {
    allowPartial: {
      flag: '--allow-partial',
      help: 'replay a recording even if less than half of its commands can be replayed',
      value: { type: 'boolean' },
      default: false,
    },
  },

  parse(argument, { allowPartial } = {}) {
    if (argument === undefined || argument === '') {
      throw new Error('expected the file of a profile, as in profile:traffic.ndjson');
    }
    return { file: resolve(argument), allowPartial };
  },

  async load({ file, allowPartial = false }) {
    // Heavy, and --help loads this file for its option.
    const { summarizeReplay } = await import('../plan-replay.js');
    const replay = await summarizeReplay(file);
    if (!allowPartial && shareOf(replay) < LEAST_SHARE) {
      throw new UsageError(
        `${basename(file)}: only ${whole(replay.commands + replay.beyond)} of ${count(replay.recorded, 'command')} can be replayed, too few to represent the service; 'redis-pipe-bench profile ${basename(file)} --details' says why. Use --allow-partial to measure it anyway`,
      );
    }
    return { file, ...replay };
  },

  titleOf: ({ file }) => `replay of ${basename(file)}`,

  data: ({ keys = 1, keyBytes = 1, valueBytes = 1, ratePerSecond = 1, ...replay }) => ({
    keys,
    keyBytes,
    valueBytes,
    ratePerSecond,
    share: shareOf(replay),
    ...(replay.tasks !== undefined && { tasks: replay.tasks }),
  }),

  notes: (replay) => replayNotes(basename(replay.file), replay),

  grows: () => true,

  async open({ file }, context) {
    const { openReplay } = await import('../open-replay.js');
    return openReplay(file, context);
  },
};

/** @param {Partial<ReplaySummary>} replay */
const shareOf = ({ commands = 0, beyond = 0, recorded = 0 }) => (commands + beyond) / Math.max(1, recorded);

/** @param {string} file @param {Partial<ReplaySummary>} replay @returns {ReplayNote[]} how it differs from the recording */
function replayNotes(file, { commands = 0, beyond = 0, recorded = 0, leftOut = [], tasks, ...replay }) {
  const { inTransactions, unblocked = {} } = replay;
  const missing = leftOut
    .flatMap((each) => Object.values(each.commands))
    .reduce((all, count) => all + count, 0);
  /** @type {ReplayNote[]} */
  const notes = [];
  if (missing > 0) notes.push({ kind: 'replay-lacks', file, missing, recorded, leftOut });
  if (inTransactions && inTransactions.transactions > 0) {
    const { transactions, commands: sent } = inTransactions;
    notes.push({ kind: 'replay-transactions', file, transactions, sent });
  }
  if (Object.keys(unblocked).length > 0) {
    notes.push({ kind: 'replay-unblocked', file, commands: unblocked });
  }
  if (tasks !== undefined) notes.push({ kind: 'replay-tasks', file, tasks });
  if (beyond > 0) notes.push({ kind: 'replay-beginning', file, sent: commands });
  return notes;
}
