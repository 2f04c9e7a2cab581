import { messageWithPosition } from '../errors.js';

/** @import { Item, Step } from '../plugins/types.js' */

/** What went wrong in a run. @param {{stopped: boolean}} control stopped at the first error */
export function createTally(control) {
  let wrongReplies = 0;
  /** @type {string | null} */
  let firstWrongReply = null;
  /** @type {Record<string, number>} */
  const errors = {};
  return {
    /** @param {Step} step @param {unknown} reply @param {Item} item */
    wrong({ command, wrongText }, reply, item) {
      wrongReplies++;
      firstWrongReply ??=
        wrongText?.(reply, item, excerpt) ?? `${command.toUpperCase()} replied ${excerpt(reply)}`;
    },

    /** The run has failed with these operations, so the other tasks end as well. @param {unknown} error @param {number} [operations] */
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

/** Counts the batches of one run: their commands, and how long they were held back. */
export function createBatchMeter() {
  let seen = empty();
  return {
    /** @param {number} commands @param {number} [heldMs] @param {number} [waitedMs] of that, spent only looking at the clock */
    sent(commands, heldMs = 0, waitedMs = 0) {
      seen.batches++;
      seen.commands += commands;
      seen.heldMs += heldMs;
      seen.waitedMs += waitedMs;
    },

    /** Since the last call; null where there was no batch. */
    take() {
      const taken = seen;
      seen = empty();
      return taken.batches === 0 ? null : taken;
    },
  };
}

const empty = () => ({ batches: 0, commands: 0, heldMs: 0, waitedMs: 0 });
