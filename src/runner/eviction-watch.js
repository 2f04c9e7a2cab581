/** @import { Run } from '../results/types.js' */
/** @import { Snapshot } from '../server/types.js' */
/** @import { EvictionWatch } from './types.js' */

/**
 * Watches whether a server evicts keys while the benchmark uses its memory.
 *
 * @param {Snapshot | null} start before anything is stored @returns {EvictionWatch}
 */
export function createEvictionWatch(start) {
  let last = start?.evictedKeys ?? null;
  return {
    mayHaveExpired: (snapshot) => (snapshot?.expiredKeys ?? null) !== (start?.expiredKeys ?? null),
    since(snapshot) {
      const now = snapshot?.evictedKeys ?? null;
      const evicted = now === null || last === null ? 0 : now - last;
      last = now;
      return evicted;
    },
  };
}

/**
 * @param {Run} run @param {number} evicted keys since the run before
 * @param {boolean} allowed whether the user accepts that @returns {Run} marked as failed, or with a warning
 */
export function withEvictions(run, evicted, allowed) {
  if (evicted === 0) return run;
  const found = `the server evicted ${evicted} ${evicted === 1 ? 'key' : 'keys'} to make room in its memory`;
  if (allowed) return { ...run, warnings: [...run.warnings, found] };
  const reason = `${found}, and keys of its other users may be among them; raise its maxmemory, or accept that with --allow-eviction`;
  return { ...run, failed: run.failed ?? reason };
}
