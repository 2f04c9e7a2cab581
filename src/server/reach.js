import { ServerError, UsageError } from '../errors.js';
import { connectControl } from './control.js';
import { findMasters } from './slots.js';
import { clusterTarget, isLoopback, labelOf } from './target.js';

/**
 * @import { Topology } from '../options/types.js'
 * @import { Opened } from './open.js'
 * @import { Target } from './types.js'
 */

/**
 * Connects to an external server.
 *
 * @param {Target} target
 * @param {Topology} topology
 * @returns {Promise<Opened>}
 * @throws {ServerError}
 */
export async function reach(target, topology) {
  if (topology === 'cluster') return reachCluster(target);
  const control = await connectControl(target);
  return {
    targets: { [target.transport]: target },
    nodes: [{ node: labelOf(target), control }],
    isLocal: isLoopback(target),
    close: async () => control.close(),
  };
}

/**
 * Connects to all masters of the cluster that one of its nodes names.
 *
 * @param {Target} target
 * @returns {Promise<Opened>}
 */
async function reachCluster(target) {
  if (target.database) {
    throw new UsageError(`a cluster has only database 0; leave the '/${target.database}' out of the URL`);
  }
  const masters = (await mastersOf(target)).map((address) => ({ ...target, ...address }));
  const results = await Promise.allSettled(masters.map((master) => connectControl(master)));
  const controls = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async () => {
    for (const control of controls) control.close();
  };
  const failed = results.find((each) => each.status === 'rejected');
  if (failed) {
    await close();
    throw new ServerError(
      `the cluster at ${labelOf(target)} has a node that cannot be used from here: ${failed.reason.message}`,
    );
  }
  return {
    targets: { [target.transport]: clusterTarget(masters) },
    nodes: controls.map((control, index) => ({ node: labelOf(masters[index]), control })),
    isLocal: masters.every(isLoopback),
    close,
  };
}

/**
 * @param {Target} target
 * @returns {Promise<Topology>} `standalone` where the server does not tell
 * @throws {ServerError}
 */
export async function topologyOf(target) {
  const control = await connectControl(target);
  try {
    return (await control.info())?.fields.redis_mode === 'cluster' ? 'cluster' : 'standalone';
  } finally {
    control.close();
  }
}

/** @param {Target} target */
async function mastersOf(target) {
  const control = await connectControl(target);
  try {
    return await findMasters(control, target);
  } finally {
    control.close();
  }
}
