import { ServerError } from '../errors.js';
import { findShards } from './cluster.js';
import { connectControl } from './control.js';
import { findPrimary } from './find-primary.js';
import { clusterNode } from './move-slots.js';
import { masterAsItIs, primaryAsItIs, slotsAsTheyAre } from './put-back.js';
import { labelOf } from './target.js';

/** @import { FaultPlan } from '../plan/types.js' */
/** @import { ManagedProcess, Server, Target } from './types.js' */

/** @typedef {Pick<ManagedProcess, 'control' | 'targets'>} Member an external server */

/** @type {Partial<Record<FaultPlan['kind'], (target: Target, fault: FaultPlan) => Promise<Operated>>>} */
const OPENING = { slots: openMasters, promote: openShard, switchover: openWatched };

/**
 * @typedef {object} Operated the servers to change
 * @property {Pick<Server, 'topology'> & {processes?: Member[], watched?: Server['watched']}} server
 * @property {Member | null} spare a replica to promote
 * @property {() => Promise<void>} putBack
 */

/** Checks first that the change can be undone. @param {Target} target @param {FaultPlan} fault */
export function operate(target, fault) {
  const open = OPENING[fault.kind];
  if (open === undefined) throw new Error(`'${fault.kind}' was planned for external servers`);
  return open(target, fault);
}

/** @param {Target} target @returns {Promise<Member>} */
const memberOf = async (target) => ({
  control: await connectControl(target),
  targets: { tcp: target, unix: target },
});

/** @param {Target} target of a cluster */
async function shardsOf(target) {
  const control = await connectControl(target);
  const shards = await findShards(control, target);
  control.close();
  const plain = { ...target, topology: undefined, nodes: undefined };
  return shards.map(({ master, replicas }) => ({
    master: { ...plain, ...master },
    replicas: replicas.map((replica) => ({ ...plain, ...replica })),
  }));
}

/** @param {Target} target @param {FaultPlan} fault @returns {Promise<Operated>} */
async function openMasters(target, { slots = 0 }) {
  const processes = await Promise.all((await shardsOf(target)).map(({ master }) => memberOf(master)));
  const nodes = await Promise.all(processes.map(clusterNode));
  return {
    server: { topology: 'cluster', processes },
    spare: null,
    putBack: await slotsAsTheyAre(nodes, slots),
  };
}

/** @param {Target} target @returns {Promise<Operated>} starts with a master that has a replica */
async function openShard(target) {
  const shards = await shardsOf(target);
  const own = shards.find(({ replicas }) => replicas.length > 0);
  if (own === undefined)
    throw new ServerError(`--fault promote: no master of the cluster at ${labelOf(target)} has a replica`);
  const masters = [own, ...shards.filter((shard) => shard !== own)].map(({ master }) => master);
  const [spare, ...processes] = await Promise.all([own.replicas[0], ...masters].map(memberOf));
  const all = await Promise.all([...processes, spare].map(clusterNode));
  return { server: { topology: 'cluster', processes }, spare, putBack: await masterAsItIs(all) };
}

/** @param {Target} target @returns {Promise<Operated>} */
async function openWatched(target) {
  const { sentinels = [], masterName: name = '', sentinelUsername, sentinelPassword, ...plain } = target;
  const { primary, replicas } = await findPrimary(target);
  if (replicas.length === 0)
    throw new ServerError(`--fault switchover: the Sentinels know of no replica of '${name}' that is up`);
  const servers = await Promise.all([primary, ...replicas].map(memberOf));
  const ofSentinels = {
    ...plain,
    username: sentinelUsername,
    password: sentinelPassword,
    database: undefined,
  };
  const reached = sentinels.map((place) => memberOf({ ...ofSentinels, ...place }).catch(() => []));
  const watched = /** @type {NonNullable<Server['watched']>} */ ({
    name,
    sentinels: (await Promise.all(reached)).flat(),
    servers,
  });
  return { server: { topology: 'sentinel', watched }, spare: null, putBack: await primaryAsItIs(watched) };
}
