import { setTimeout as sleep } from 'node:timers/promises';
import { sizeOf } from '../traffic/profile-writer.js';

/** @import { EndReason, RecordingState } from '../traffic/types.js' */
/** @import { RecordRun } from './record.js' */
/** @import { Recorded } from './types.js' */

const EVERY_MS = 1000;

/**
 * Looks each second until the time is over or the user interrupts.
 * @param {Pick<RecordRun, 'settings' | 'signal'>} run
 * @param {() => Promise<boolean>} look whether to go on @returns {Promise<EndReason>}
 */
export async function whileRecording({ settings: { forMs = Number.POSITIVE_INFINITY }, signal }, look) {
  const endMs = performance.now() + forMs;
  for (let leftMs = forMs; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
    await sleep(Math.min(EVERY_MS, leftMs), undefined, { signal }).catch(() => {});
    if (!(await look())) break;
  }
  return signal.aborted ? 'interrupted' : 'time';
}

/**
 * @param {string} file @param {RecordingState & {open?: number}} state of a recording that has ended
 * @param {string[]} [assumed] of replies @returns {Recorded}
 */
export function recordedIn(file, { open: _, failure, ended, ...figures }, assumed = []) {
  return { file, reason: ended ?? 'time', failure, figures, bytes: sizeOf(file), assumed };
}
