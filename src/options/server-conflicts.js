import { UsageError } from '../errors.js';

/** @import { Settings } from './types.js' */

/**
 * Options about servers that contradict each other.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} given what the user chose
 * @throws {UsageError}
 */
export function checkServer(settings, given) {
  if (settings.url !== undefined && settings.socket !== undefined) {
    throw new UsageError('--url and --socket both name a server; give one of them');
  }
  if (settings.tlsCa !== undefined && settings.tlsInsecure) {
    throw new UsageError('--tls-ca verifies the certificate and --tls-insecure does not; give one of them');
  }
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key belong together; give both of them');
  }
  if (settings.socket !== undefined && settings.topology.every((each) => each === 'cluster')) {
    throw new UsageError(
      '--topology cluster: a cluster is reached by host and port, but --socket names a unix socket; give the --url of one of its nodes',
    );
  }
  if (given.clusterNodes !== undefined && (settings.url ?? settings.socket) !== undefined) {
    throw new UsageError(
      '--cluster-nodes starts a cluster, but --url or --socket names a running server; give one of them',
    );
  }
  checkReplicas(settings, given);
  if (settings.server !== undefined && settings.serverBin !== undefined) {
    throw new UsageError('--server and --server-bin both say what is started; give one of them');
  }
  for (const [flag, value] of [
    ['--server', settings.server],
    ['--server-config', settings.serverConfig],
    ['--server-bin', settings.serverBin],
  ]) {
    if (value === undefined || (settings.url ?? settings.socket) === undefined) continue;
    throw new UsageError(
      `${flag} is about servers that this tool starts, but --url or --socket names a running one; give one of them`,
    );
  }
}

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 */
function checkReplicas({ replicas, readFrom, topology, fault, agents, ...settings }, given) {
  const isExternal = (settings.url ?? settings.socket) !== undefined;
  if (isExternal && given.replicas !== undefined) {
    throw new UsageError(
      '--replicas starts replicas, but --url or --socket names a running server; leave it out: of a cluster, --read-from finds them',
    );
  }
  for (const [flag, isGiven] of /** @type {const} */ ([
    ['--replicas', replicas > 0],
    ['--read-from', readFrom !== undefined],
  ])) {
    if (!isGiven) continue;
    if (fault !== undefined) {
      throw new UsageError(
        `${flag}: a run with --fault has servers of its own, with the one replica that a failover needs; give one of them`,
      );
    }
    if (agents !== undefined) {
      throw new UsageError(
        `${flag}: replicas are measured from this machine only, not yet with --agents; give one of them`,
      );
    }
  }
  if (readFrom === undefined) return;
  if (isExternal && topology.some((each) => each !== 'cluster')) {
    throw new UsageError(
      '--read-from: the replicas of a running server are found in a cluster only; add --topology cluster, or leave --url and --socket out',
    );
  }
  if (!isExternal && readFrom.includes('replica') && replicas === 0) {
    throw new UsageError('--read-from replica: the managed server has no replicas; add --replicas 1');
  }
}
