import { basename, resolve } from 'node:path';
import { hashOfFile } from '../own-hash.js';
import { openReplay } from '../replay/open-replay.js';
import { replayNotes, replayWarnings } from '../replay/replay-notes.js';
import { summarizeReplay } from '../replay/summarize-replay.js';

/**
 * @import { OpenContext } from '../types.js'
 * @import { ReplaySummary } from '../replay/summarize-replay.js'
 */

/** @typedef {{file: string, hash?: string} & Partial<ReplaySummary>} Replay */

export default {
  id: 'profile',
  title: 'recorded traffic',
  summary: "the commands of your service, recorded with 'redis-pipe-bench record', in their order",
  syntax: 'profile:traffic.ndjson',
  takesFile: true,
  resets: true,
  checks: { 'a command that only reads': 'shape', 'any other command': 'type' },

  /** @param {string | undefined} argument @returns {Replay} */
  parse(argument) {
    if (argument === undefined || argument === '') {
      throw new Error('expected the file of a profile, as in profile:traffic.ndjson');
    }
    return { file: resolve(argument) };
  },

  /** @param {Replay} replay @returns {Promise<Replay>} */
  load: async ({ file }) => ({ file, ...(await summarizeReplay(file)), hash: await hashOfFile(file) }),

  /** @param {Replay} replay */
  files: ({ file, hash = '' }) => [{ file: basename(file), hash }],

  /** @param {Replay} replay */
  titleOf: ({ file }) => `replay of ${basename(file)}`,

  /** @param {Replay} replay */
  data: ({ keys = 1, keyBytes = 1, valueBytes = 1, ratePerSecond = 1 }) => ({
    keys,
    keyBytes,
    valueBytes,
    ratePerSecond,
  }),

  /** @param {Replay} replay */
  notes: (replay) => replayNotes(basename(replay.file), replay),

  /** @param {Replay} replay */
  warnings: (replay) => replayWarnings(basename(replay.file), replay),

  /** @param {Replay} replay @param {OpenContext} context */
  open: ({ file }, context) => openReplay(file, context),
};
