import { readFileSync } from 'node:fs';

/** @import { OwnCounts } from './types.js' */

/**
 * What Linux counts of this process: its read and write calls (of all threads), and how often its main thread
 * left its processor. A client in native code that receives with recv(2) or sends with send(2) is not seen here.
 *
 * @returns {OwnCounts | null} the totals so far; null where the system does not tell
 */
export function ownCounts() {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const io = readFileSync('/proc/self/io', 'utf8');
    return {
      reads: numberIn(io, 'syscr'),
      writes: numberIn(io, 'syscw'),
      contextSwitches:
        numberIn(status, 'voluntary_ctxt_switches') + numberIn(status, 'nonvoluntary_ctxt_switches'),
    };
  } catch {
    return null;
  }
}

/**
 * @param {OwnCounts | null} before
 * @param {OwnCounts | null} after
 * @returns {OwnCounts | null}
 */
export const countedBetween = (before, after) =>
  before &&
  after && {
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
    contextSwitches: after.contextSwitches - before.contextSwitches,
  };

/** @param {string} text @param {string} name */
function numberIn(text, name) {
  const [, number] = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text) ?? [];
  if (number === undefined) throw new Error(`the system does not tell ${name}`);
  return Number(number);
}
