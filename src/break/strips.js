import { sum } from 'simple-statistics';

/** @import { FaultRun } from '../core/store/types.js' */

const MARKS = { done: '█', some: '▄', late: '▒', failed: '×', waiting: '∙', nothing: ' ' };
/** Shares of what was due in a column's time. */
const [NEARLY_ALL, SOME] = [0.9, 0.1];

/** @param {FaultRun['timeline']} timeline of a run @param {number} columns @returns {string} what became of its operations over time */
export function stripOf({ due, inTime, acknowledged, failed, waiting }, columns) {
  const inColumn = Math.ceil(due.length / columns);
  const usual = (sum(due) / due.filter((count) => count > 0).length) * inColumn;
  let strip = '';
  for (let from = 0; from < due.length; from += inColumn) {
    const counts = [due, inTime, acknowledged, failed].map((all) => sum(all.slice(from, from + inColumn)));
    const waits = waiting[Math.min(due.length, from + inColumn) - 1] > 0;
    strip += markOf(counts, usual, waits);
  }
  return strip;
}

/** @param {number[]} counts @param {number} usual @param {boolean} waits whether any caller does */
function markOf([due, inTime, acknowledged, failed], usual, waits) {
  if (failed > Math.max(acknowledged, due * SOME)) return MARKS.failed;
  if (due > 0 && inTime >= NEARLY_ALL * due) return MARKS.done;
  if (due > 0 && inTime >= SOME * due) return MARKS.some;
  if (acknowledged > SOME * usual) return MARKS.late;
  return waits ? MARKS.waiting : MARKS.nothing;
}

export const STRIPS_LEGEND = `Over time: ${MARKS.done} done in time, ${MARKS.some} partly, ${MARKS.late} late, ${MARKS.failed} failed, ${MARKS.waiting} no reply.`;
