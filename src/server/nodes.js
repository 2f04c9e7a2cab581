import { snapshotOf, sumOf } from './info.js';

/**
 * @import { Topology } from '../options/types.js'
 * @import { Control, Snapshot } from './types.js'
 */

/**
 * A node and the tool's connection to it. A standalone server is one node.
 *
 * @typedef {object} ServerNode
 * @property {string} node host:port, or the path of a socket
 * @property {Control} control
 */

/**
 * One control for all nodes of a cluster.
 *
 * @param {ServerNode[]} nodes
 * @returns {Control}
 */
export function controlOf(nodes) {
  const controls = nodes.map(({ control }) => control);
  if (controls.length === 1) return controls[0];
  return {
    // All nodes have the same software and configuration, so one may answer for all.
    ...controls[0],
    ping: () => Promise.all(controls.map((control) => control.ping())),
    close() {
      for (const control of controls) control.close();
    },
  };
}

/**
 * @param {ServerNode[]} nodes
 * @param {Topology} topology
 * @returns {Promise<Snapshot | null>} null where INFO is not allowed
 */
export async function takeSnapshot(nodes, topology) {
  const parts = await Promise.all(
    nodes.map(async ({ node, control }) => {
      const snapshot = snapshotOf(await control.info());
      return snapshot === null ? [] : [{ node, snapshot }];
    }),
  );
  if (parts.some((part) => part.length === 0)) return null;
  return topology === 'standalone' ? parts[0][0].snapshot : sumOf(parts.flat());
}
