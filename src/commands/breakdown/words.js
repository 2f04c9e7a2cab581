import { count } from '../../numbers.js';
import { percent } from '../../report/figures.js';

/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { NoBreakdown } from './types.js' */

/** Why a cell has no breakdown. @type {WordsOf<NoBreakdown>} */
export const WORDS = {
  'load-elsewhere': () => 'its load comes from other machines',
  'opens-in-operations': () => 'its operations open connections',
  'answers-from-cache': () => 'its client may answer from a cache',
  'several-sockets': () => 'its operations may go over several sockets',
  'one-after-other': () => 'its operations may send one command after the reply to another',
  'foreign-sockets': () => 'its client has no sockets of Node',
  'uneven-operations': () => 'its operations differ in their number of commands',
  'not-matched': ({ share }) =>
    `${percent(share)} of its operations do not match what was sent: its client reorders commands, or adds its own`,
  'few-followed': ({ operations, least }) =>
    `only ${count(operations ?? 0, 'operation')} could be followed, of at least ${least}`,
  'no-shared-clock': () => 'processes of this machine do not share a clock',
  'no-time-for-pass': () => 'no time is left; give --budget more',
  'pass-failed': ({ why }) => `its pass failed: ${why}`,
};
