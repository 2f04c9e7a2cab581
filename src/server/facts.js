import { ServerError } from '../errors.js';
import { labelOf } from './target.js';

/** @import { Topology } from '../options/types.js' */
/** @import { Notice } from '../results/types.js' */
/** @import { Opened } from './open.js' */
/** @import { Control, MemoryFacts, ServerFacts, Target } from './types.js' */

/** redis-benchmark prints these too, because each changes what is measured. */
const CONFIG = ['save', 'appendonly', 'maxmemory', 'io-threads'];

/**
 * @param {Required<Pick<Opened, 'nodes' | 'replicas' | 'targets'>> & {infos: Record<string, string>[], control:
 *   Control, external: Target | null, topology: Topology}} opened
 * @returns {Promise<ServerFacts>} @throws {ServerError} for one node of a cluster
 */
export async function factsOf({ infos: [info], nodes, replicas, control, external, topology, targets }) {
  const mode = info.redis_mode ?? info.server_mode ?? null;
  if (external && topology === 'standalone' && mode === 'cluster') {
    throw new ServerError(
      `${labelOf(external)} is a node of a cluster and has only some of the keys; use --topology cluster`,
    );
  }
  const config = await Promise.all(CONFIG.map(async (name) => [name, await control.config(name)]));
  return {
    kind: external ? 'external' : 'managed',
    ...softwareOf(info),
    mode,
    transports: Object.keys(targets),
    nodes: topology === 'cluster' ? nodes.map(({ node }) => node) : null,
    ...(replicas.length > 0 && { replicas: replicas.flat().map(({ node }) => node) }),
    config: Object.fromEntries(config),
    ...(external && { roundTripUs: await roundTripOf(control) }),
  };
}

/** Whichever comes first. The fastest PING is the one that other programs delayed least. */
const PINGS = { count: 20, mostMs: 200 };

/** @param {Control} control @returns {Promise<number>} */
async function roundTripOf(control) {
  const times = [];
  const endMs = performance.now() + PINGS.mostMs;
  do {
    const startedMs = performance.now();
    await control.ping();
    times.push(performance.now() - startedMs);
  } while (times.length < PINGS.count && performance.now() < endMs);
  return Math.min(...times) * 1000;
}

/** @param {Record<string, string>[]} infos @param {string | null} maxclients not in INFO before Redis 6.2 */
export function freeConnectionsOf(infos, maxclients) {
  const free = infos.map(
    (info) => Number(info.maxclients ?? maxclients ?? Number.NaN) - Number(info.connected_clients),
  );
  return free.every(Number.isFinite) ? Math.min(...free) : null;
}

/** Other servers also report a redis_version for old clients. @param {Record<string, string>} info */
function softwareOf(info) {
  if (info.valkey_version) return { software: 'Valkey', version: info.valkey_version };
  if (info.dragonfly_version) return { software: 'Dragonfly', version: info.dragonfly_version };
  return { software: 'Redis', version: info.redis_version ?? null };
}

/** @param {Target} external @returns {Notice[]} */
export const tlsWarnings = (external) =>
  external.tls === undefined || external.tls.rejectUnauthorized
    ? []
    : [{ kind: 'certificate-unverified', server: labelOf(external) }];

/** @param {Record<string, string>[]} infos @param {string | null} save @returns {Notice[]} */
export function durabilityWarnings(infos, save) {
  const replicas = Math.max(...infos.map(({ connected_slaves: count = '0' }) => Number(count)));
  const aof = infos.some(({ aof_enabled: enabled }) => enabled === '1');
  return aof || save || replicas > 0 ? [{ kind: 'writes-copied', aof, rdb: Boolean(save), replicas }] : [];
}

/** @param {Record<string, string>} fields of INFO @returns {MemoryFacts | null} null if not in INFO */
export function memoryOf({ maxmemory, maxmemory_policy: policy, used_memory: used, evicted_keys: evicted }) {
  if ([maxmemory, used, evicted].some((text) => !/^\d+$/.test(text ?? ''))) return null;
  return { maxBytes: Number(maxmemory), usedBytes: Number(used), policy: policy ?? 'unknown' };
}
