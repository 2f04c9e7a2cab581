import { max, sum } from 'simple-statistics';
import { ownCpuUs } from '../results/cost-record.js';

/** @import { Observed } from './types.js' */

/** So many windows show it. */
const WINDOWS = 3;
/** A cell that computes for less of its time than this is nearly as fast while it is cold. */
const IDLE_SHARE = 0.2;
/** Warming up never made a cell so many times faster than it was in its first windows. */
const HOPELESS = 5;

/**
 * Whether a cell of a map has to become warmer. A map asks for operations a second alone, and of most cells at most
 * points it is seen early that warmth changes nothing: they wait for round trips, or another is far ahead.
 *
 * @param {Pick<Observed['measured'], 'client' | 'elapsedMs'>[]} windows of its warm-up so far
 * @param {number} perMs iterations, in the best of them
 * @param {(number | undefined)[]} rivals the same of the cells beside it that are warm
 */
export function isWarmEnough(windows, perMs, rivals) {
  if (windows.length < WINDOWS) return false;
  const last = windows.slice(-WINDOWS);
  const busyMs = sum(last.map(({ client }) => ownCpuUs(client))) / 1000;
  const elapsedMs = sum(last.map((window) => window.elapsedMs));
  return busyMs < IDLE_SHARE * elapsedMs || perMs * HOPELESS < max([0, ...rivals.map((rival) => rival ?? 0)]);
}
