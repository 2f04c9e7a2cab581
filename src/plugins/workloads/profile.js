import { basename, resolve } from 'node:path';
import { UsageError } from '../../errors.js';
import { hashOfFile } from '../own-hash.js';
import { missingText, replayNotes } from '../replay/replay-notes.js';

/**
 * @import { OpenContext } from '../types.js'
 * @import { ReplaySummary } from '../replay/summarize-replay.js'
 */

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
    const { summarizeReplay } = await import('../replay/summarize-replay.js');
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
    const { openReplay } = await import('../replay/open-replay.js');
    return openReplay(file, context);
  },
};

/** @param {Partial<ReplaySummary>} replay @returns {number} of the recorded commands that can be replayed, 0 to 1 */
const shareOf = ({ commands = 0, beyond = 0, recorded = 0 }) => (commands + beyond) / Math.max(1, recorded);
