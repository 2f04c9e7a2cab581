import { messageWithPosition } from '../errors.js';

/** @import { Tally } from '../plugins/types.js' */

/** What went wrong in a run. @param {{stopped: boolean}} control stopped at the first error @returns {Tally} */
export function createTally(control) {
  let wrongReplies = 0;
  /** @type {string | null} */
  let firstWrongReply = null;
  /** @type {Record<string, number>} */
  const errors = {};
  return {
    wrong({ command, wrongText }, reply, item) {
      wrongReplies++;
      firstWrongReply ??=
        wrongText?.(reply, item, excerpt) ?? `${command.toUpperCase()} replied ${excerpt(reply)}`;
    },

    /** The run has failed with these operations, so the other tasks end as well. */
    error(error, operations = 1) {
      const text = messageWithPosition(error);
      errors[text] = (errors[text] ?? 0) + operations;
      control.stopped = true;
    },

    counts: () => ({ wrongReplies, firstWrongReply, errors }),
  };
}

/** @param {unknown} reply */
export function excerpt(reply) {
  const text = typeof reply === 'string' ? JSON.stringify(reply) : String(reply);
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
}
