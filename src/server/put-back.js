import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, ServerError, UsageError } from '../errors.js';
import { until } from '../process/wait.js';
import { sharedClock } from '../shared-clock.js';
import {
  agreedOwners,
  moveKeys,
  moveSlots,
  openSlots,
  slotOwners,
  untilAgreed,
  untilKnown,
} from './move-slots.js';
import { fieldsOf, orderFailover, promotedBy, settledPrimary } from './sentinel.js';
import { labelOf, placeOf } from './target.js';

/** @import { ClusterNode } from './move-slots.js' */
/** @import { Control, ManagedProcess, Watched } from './types.js' */

/** Sentinels demote an old primary after about 10 s, and read priorities every 10 s. */
const BACK_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 50;
/** A replica gives up after 5 s if it could not begin a failover. */
const ORDER_AGAIN_MS = 6000;
/** The default of Redis. */
const NODE_TIMEOUT_MS = 15_000;

/** Each function checks that a change can be undone, and returns an undo for any stage, which may run repeatedly. */

/** @param {ClusterNode[]} nodes @param {number} slots to be moved */
export async function slotsAsTheyAre(nodes, slots) {
  const before = await agreedOwners(nodes);
  const open = (await Promise.all(nodes.map(({ control }) => openSlots(control)))).flat();
  if (open.length > 0)
    throw new ServerError(`slot ${open[0].slot} of the cluster is being moved already; nothing was changed`);
  const smallest = Math.min(...nodes.map(({ id }) => before.filter((owner) => owner === id).length));
  if (slots >= smallest)
    throw new UsageError(
      `--fault slots:${slots}: a node of the cluster has only ${smallest} slots; expected fewer than that`,
    );
  for (const node of nodes) {
    const { control, place, auth } = node;
    await may(node, () => control.command('CLUSTER', 'SETSLOT', `${before.indexOf(node.id)}`, 'STABLE'));
    // The key does not exist, so MIGRATE replies NOKEY.
    const migrate = ['MIGRATE', place.host, `${place.port}`, '', '0', '1000', ...auth, 'KEYS', 'rpb:none'];
    await may(node, () => control.command(...migrate).catch(unlessIt(/^(MOVED|CLUSTERDOWN)\b/)));
  }
  return async () => {
    const homes = new Map(nodes.map((node) => [node.id, node]));
    const home = (/** @type {number} */ slot) => /** @type {ClusterNode} */ (homes.get(before[slot]));
    const now = await agreedOwners(nodes);
    for (const state of ['migrating', 'importing']) {
      for (const node of nodes) {
        for (const each of await openSlots(node.control)) {
          if (each.state !== state) continue;
          const to = /** @type {ClusterNode} */ (homes.get(now[each.slot]));
          if (state === 'importing' && to !== node) await moveKeys({ slot: each.slot, from: node, to });
          await node.control.command('CLUSTER', 'SETSLOT', `${each.slot}`, 'STABLE');
        }
      }
    }
    const moves = now.flatMap((id, slot) =>
      id === before[slot] ? [] : [{ slot, from: /** @type {ClusterNode} */ (homes.get(id)), to: home(slot) }],
    );
    const { signal } = new AbortController();
    if (moves.length > 0) await moveSlots(nodes, moves, { fromMs: sharedClock(), lastsMs: 0, signal });
    await untilAgreed(nodes, before);
  };
}

/** @param {ClusterNode[]} all masters, then a replica of the first */
export async function masterAsItIs(all) {
  const [first] = all;
  const replica = all[all.length - 1];
  const before = await agreedOwners(all);
  const order = () => first.control.command('CLUSTER', 'FAILOVER');
  await may(first, () => order().catch(unlessIt(/to a replica/)));
  // No node votes for two replicas of one master within twice this time.
  const voteEveryMs = Number((await first.control.config('cluster-node-timeout')) ?? NODE_TIMEOUT_MS);
  return async () => {
    const now = await agreedOwners(all);
    if (now.join() === before.join()) return;
    const votesAgain = sleep(2 * voteEveryMs);
    await untilKnown(all, first, `slave ${replica.id}`);
    await untilFollowing(first.control, replica.place.port);
    let orderedAtMs = 0;
    await patiently('the first master to be one again', async () => {
      if (sharedClock() - orderedAtMs > ORDER_AGAIN_MS) {
        await order();
        orderedAtMs = sharedClock();
      }
      return (await slotOwners(first.control)).join() === before.join();
    });
    await untilAgreed(all, before);
    await votesAgain;
  };
}

/** @param {Watched} watched @returns {Promise<() => Promise<void>>} promotes the old primary again */
export async function primaryAsItIs(watched) {
  const { sentinels, servers } = watched;
  const primary = await settledPrimary(watched);
  const others = servers.filter((server) => server !== primary);
  const { command } = primary.control;
  const setting = 'replica-priority';
  const own = await primary.control.config(setting);
  // Sentinels choose the replica with the lowest priority.
  await may({ place: placeOf(primary) }, () => command('CONFIG', 'SET', setting, own ?? ''));
  const rivals = await Promise.all(others.map(({ control }) => control.config(setting)));
  if (rivals.some((priority) => priority === '1') || own === '0')
    throw new UsageError(
      `--fault switchover: Sentinels could not be made to promote ${labelOf(primary.targets.tcp)} again, because of the ${setting} of the servers; expected more than 1 for each`,
    );
  const [{ control: leader }] = sentinels;
  const unknown = () => leader.command('SENTINEL', 'FAILOVER', 'rpb:none').catch(unlessIt(/no such master/i));
  await may({ place: placeOf(sentinels[0]) }, unknown);
  return async () => {
    const now = await settledPrimary(watched);
    if (now === primary) return;
    await command('CONFIG', 'SET', setting, '1');
    try {
      await untilFollowing(primary.control, placeOf(now).port);
      await patiently('Sentinels to see that the old primary is preferred', () =>
        isPreferred(watched, primary),
      );
      await patiently('Sentinels to order a failover', () =>
        orderFailover(watched).then(Boolean, unlessIt(/INPROG|NOGOODSLAVE/)),
      );
      await promotedBy(watched, now, { everyMs: LOOK_EVERY_MS, withinMs: BACK_WITHIN_MS });
    } finally {
      await command('CONFIG', 'SET', setting, `${own}`);
    }
    await settledPrimary(watched);
    await untilFollowing(now.control, placeOf(primary).port);
  };
}

/** @param {Watched} watched @param {ManagedProcess} replica @returns whether the first Sentinel prefers it */
async function isPreferred({ sentinels: [{ control }], name }, replica) {
  const reply = /** @type {unknown[]} */ (await control.command('SENTINEL', 'REPLICAS', name));
  const { host, port } = placeOf(replica);
  const own = reply.map(fieldsOf).find((each) => each.ip === host && each.port === `${port}`);
  return own?.['slave-priority'] === '1' && own['master-link-status'] === 'ok';
}

/** @param {Control} control @param {number} port */
const untilFollowing = (control, port) =>
  patiently('a server to follow its new primary', async () => {
    const { role, master_port, master_link_status } = (await control.info())?.fields ?? {};
    return role === 'slave' && Number(master_port) === port && master_link_status === 'up';
  });

/** @param {string} what @param {() => Promise<unknown>} isSo */
const patiently = (what, isSo) =>
  until(isSo, {
    everyMs: LOOK_EVERY_MS,
    withinMs: BACK_WITHIN_MS,
    late: () => new ServerError(`waited ${BACK_WITHIN_MS / 1000} s in vain for ${what}`),
  });

/** @param {RegExp} expected @returns {(error: any) => void} */
const unlessIt = (expected) => (error) => {
  if (!expected.test(messageOf(error.cause ?? error))) throw error;
};

/** @param {Pick<ClusterNode, 'place'>} node @param {() => Promise<unknown>} work must change nothing */
async function may({ place: { host, port } }, work) {
  await work().catch((error) => {
    const reason = messageOf(error.cause ?? error);
    throw new ServerError(
      `--allow-server-changes: ${host}:${port} does not let this user do it (${reason}); nothing was changed`,
      { cause: error },
    );
  });
}
