import { ServerError } from '../errors.js';
import { until } from '../process/wait.js';
import { sumOf } from './counters.js';
import { snapshotOf } from './info.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { Control } from './types.js' */

/** @typedef {{node: string, control: Control}} ServerNode `node`: host:port or socket path */

/** @param {ServerNode[]} nodes @returns {Control} */
export function controlOf(nodes) {
  const controls = nodes.map(({ control }) => control);
  if (controls.length === 1) return controls[0];
  return {
    // All nodes share software and configuration, so one can answer for all.
    ...controls[0],
    ping: () => Promise.all(controls.map((control) => control.ping())),
    close() {
      for (const control of controls) control.close();
    },
  };
}

/** @param {ServerNode[]} nodes @param {Topology} topology @param {ServerNode[]} [replicas] */
export async function takeSnapshot(nodes, topology, replicas = []) {
  const [own, others] = await Promise.all([snapshotsOf(nodes), snapshotsOf(replicas)]);
  if (own === null || others === null) return null;
  const snapshot = topology === 'cluster' ? sumOf(own) : own[0].snapshot;
  return replicas.length === 0 ? snapshot : { ...snapshot, replicas: others };
}

/** @param {ServerNode[]} nodes */
async function snapshotsOf(nodes) {
  const parts = await Promise.all(
    nodes.map(async ({ node, control }) => {
      const snapshot = snapshotOf(await control.info());
      return snapshot === null ? [] : [{ node, snapshot }];
    }),
  );
  return parts.some((part) => part.length === 0) ? null : parts.flat();
}

/** Enough to restore a lost link and catch up. */
const REPLICATED_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 2;

/** Waits until replicas catch up. @param {ServerNode[]} nodes @param {ServerNode[][]} replicas */
export async function untilReplicated(nodes, replicas) {
  await Promise.all(
    nodes.map(async ({ control }, index) => {
      const wanted = Number((await control.info())?.fields.master_repl_offset);
      // This server does not report its offset.
      if (Number.isNaN(wanted)) return;
      await Promise.all((replicas[index] ?? []).map((replica) => untilAt(replica, wanted)));
    }),
  );
}

/** @param {ServerNode} replica @param {number} wanted */
async function untilAt({ node, control }, wanted) {
  let at = Number.NaN;
  await until(
    async () => {
      at = Number((await control.info())?.fields.slave_repl_offset);
      return at >= wanted;
    },
    {
      everyMs: POLL_EVERY_MS,
      withinMs: REPLICATED_WITHIN_MS,
      late: () =>
        new ServerError(
          `the replica ${node} is behind its primary for ${REPLICATED_WITHIN_MS / 1000} s: it is at ${at}, and ${wanted} was expected`,
        ),
    },
  );
}
