import { about } from '../benchmark/findings/about.js';

/** @import { CellResult } from '../core/store/types.js' */
/** @import { Finding } from '../benchmark/judge/types.js' */

/** Whether each operation was a fresh process. @param {CellResult[]} cells */
export const startedCold = (cells) => cells.some(({ chosen }) => chosen?.workload.startsProcesses ?? false);

/** @param {CellResult[]} cells of all groups @returns {Finding[]} the soonest first */
export function firstReplies(cells) {
  const replies = cells
    .flatMap(({ id, summary }) => {
      const { firstReplyMs, importMs } = summary?.cold ?? {};
      return firstReplyMs == null || importMs == null ? [] : [{ cell: id, firstReplyMs, importMs }];
    })
    .sort((a, b) => a.firstReplyMs - b.firstReplyMs);
  return replies.length === 0 ? [] : [{ kind: 'first-replies', ...about(cells), replies }];
}
