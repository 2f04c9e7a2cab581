/**
 * @import { Settings } from '../options/types.js'
 * @import { Plan } from './types.js'
 */

/** Of all runs of a start of a group's cells, were they as fast as its fastest. */
const OF_ALL_MS = 1500;
/** Longer runs would take most of the time of a benchmark of few cells, shorter ones have too few slices. */
const BETWEEN = { shortestMs: 120, longestMs: 400 };

/**
 * How long a run of a group's fastest cell takes where the user does not say: with few cells there is time for
 * longer runs, and the more is measured of a start, the less of its figure is noise.
 *
 * @param {Settings} settings
 * @param {Pick<Plan, 'groups'>} plan
 * @returns {Settings}
 */
export function withRunTime(settings, { groups }) {
  if (settings.runTimeMs > 0) return settings;
  const most = Math.max(...groups.map((cells) => cells.length));
  const ms = Math.round(OF_ALL_MS / most);
  return { ...settings, runTimeMs: Math.min(BETWEEN.longestMs, Math.max(BETWEEN.shortestMs, ms)) };
}
