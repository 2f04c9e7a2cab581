import { UsageError } from '../errors.js';

/** @import { Settings } from './types.js' */

/**
 * Options that would be ignored, because what they apply to is not measured.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} given what the user chose
 * @throws {UsageError}
 */
export function checkUsed(settings, given) {
  const { topology, assert, keys, rtt } = settings;
  if (given.assertStrict && assert.length === 0) {
    throw new UsageError(
      '--assert-strict says how assertions are decided, and there are none; add --assert, or leave it out',
    );
  }
  if (given.machines !== undefined && settings.agents === undefined) {
    throw new UsageError(
      '--machines says how many agents bring the load, and there are none; add --agents, or leave it out',
    );
  }
  const standalone = !topology.includes('cluster');
  if (given.oneSlot && standalone) {
    throw new UsageError('--one-slot is for a cluster; add --topology cluster, or leave it out');
  }
  if (given.clusterNodes !== undefined && standalone) {
    throw new UsageError('--cluster-nodes is for a cluster; add --topology cluster, or leave it out');
  }
  if (given.jitter !== undefined && !rtt.some(Number)) {
    throw new UsageError(
      '--jitter varies the delays of --rtt, and there are none; add --rtt 2ms, or leave it out',
    );
  }
  if (given.keyDistribution !== undefined && keys === 1) {
    throw new UsageError(
      '--key-distribution says which key comes next, and there is one key; add --keys, or leave it out',
    );
  }
}

/**
 * Options that have less effect than their name suggests.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} given what the user chose
 * @returns {string[]}
 */
export const usedForLess = ({ durationMs }, given) =>
  durationMs === undefined || given.runTimeMs === undefined
    ? []
    : [
        '--run-time does not set the length of runs here, --duration (or the rate) does; it sets that of the warm-up only',
      ];
