/**
 * @import { Settings } from '../options/types.js'
 * @import { CellPoint } from './types.js'
 */

export { isRelayed } from '../axes/fault.js';

/**
 * @param {Pick<Settings, 'rtt' | 'jitter'>} settings
 * @returns {Pick<CellPoint, 'distance'>[]} one for each distance that was asked for; empty for no relay
 */
export const distancesOf = ({ rtt, jitter = 0 }) =>
  rtt.map((each) => {
    if (each === 0) return {};
    const rttMs = each === 'relay' ? 0 : each;
    return { distance: { rttMs, jitterPercent: rttMs === 0 ? 0 : jitter } };
  });

/**
 * @param {Pick<CellPoint, 'distance' | 'transport'>} cell
 * @returns {string | null} why it is impossible
 */
export const distanceConflict = ({ distance, transport }) =>
  distance !== undefined && transport === 'unix'
    ? 'a unix socket has no distance; use --rtt with tcp or tls'
    : null;
