/** @import { MemoryFacts } from './types.js' */

/**
 * How much a server may store before it evicts keys or refuses writes.
 *
 * @param {Record<string, string>} fields of INFO @returns {MemoryFacts | null} null where INFO does not tell
 */
export function memoryOf({ maxmemory, maxmemory_policy: policy, used_memory: used, evicted_keys: evicted }) {
  if ([maxmemory, used, evicted].some((text) => !/^\d+$/.test(text ?? ''))) return null;
  return { maxBytes: Number(maxmemory), usedBytes: Number(used), policy: policy ?? 'unknown' };
}
