import { groupBy, present } from '../collections.js';
import { messageOf } from '../errors.js';
import { pinProcess } from '../machine/processors.js';
import { startAnswering } from '../process/answering.js';
import { withoutNodeOptions } from '../process/spawn.js';
import { cleanUpAndRethrow } from '../process/wait.js';
import { startBareWorker } from './workers.js';

/** @import { Transport } from '../options/types.js' */
/** @import { Cell } from './plan/types.js' */
/** @import { Distance, RelayJob } from '../relay/types.js' */
/** @import { ManagedProcess } from '../server/types.js' */
/** @import { NodeAddress, Server, Target } from '../server/types.js' */
/** @import { DistantServer, GroupContext, Place, RunContext } from './types.js' */
/** @import { MeasuredDistance } from '../store/types.js' */

const HOST = '127.0.0.1';

/**
 * Puts a relay in front of these cells' server. Returns at once; each function throws if the relay fails to start.
 * @param {Distance} distance @param {Pick<Cell, 'pin' | 'transport'>[]} cells
 * @param {Pick<RunContext, 'server' | 'placer' | 'settings'> & {spare?: ManagedProcess | null, program?: RelayProgram}} context
 * @returns {DistantServer}
 */
export function startDistantServer(distance, cells, { server, placer, settings, spare = null, program }) {
  const transports = [...new Set(cells.map(({ transport }) => transport))];
  const routes = transports.flatMap((transport) =>
    nodesOf(server, transport, spare).map((upstream) => ({ transport, upstream })),
  );
  /** A PING at this distance takes too long by this. */
  let lateUs = 0;
  const { relayCpus, serverCpus } = placer.placementFor(cells[0].pin);
  // Where none was set aside for it, it never takes a worker's.
  let cpus = relayCpus ?? serverCpus;
  const upstreams = routes.map(({ upstream }) => upstream);
  const starting = startRelayProcess({ upstreams, distance, seed: settings.seed }, cpus, program);
  // The first caller gets the error.
  starting.catch(() => {});
  return {
    distance,

    async targetOf(transport) {
      const { ports } = await starting;
      const own = routes.flatMap((route, index) =>
        route.transport === transport ? { port: ports[index], upstream: route.upstream } : [],
      );
      return relayed(present(server.targets[transport]), own);
    },

    async pin({ relayCpus }) {
      const { pid } = await starting;
      if (relayCpus === undefined || cpus === null || relayCpus.join() === cpus.join()) return;
      await pinProcess(Number(pid), relayCpus);
      cpus = relayCpus;
    },

    takeFigures: async () => (await starting).call('figures'),

    async moveTo(to) {
      const { call } = await starting;
      await call('move', to);
      await call('correct', to.rttMs === distance.rttMs ? lateUs : 0);
    },

    async correct(us) {
      lateUs = us;
      await (await starting).call('correct', us);
    },

    interrupt: async (interruption) => (await starting).call('interrupt', interruption),

    ask: async (request) => (await starting).call(request),

    pid: async () => (await starting).pid,

    end: async () => (await starting.catch(() => null))?.kill(),
  };
}

/**
 * @param {Server} server @param {Transport} transport @param {ManagedProcess | null} spare
 * @returns {NodeAddress[]} primaries, replicas, Sentinels, and the spare node of a cluster
 */
function nodesOf({ targets, topology }, transport, spare) {
  const { nodes, replicas = [], sentinels = [], host, port } = present(targets[transport]);
  const added = topology === 'cluster' && spare?.targets[transport];
  const all = [...(nodes ?? [{ host, port }]), ...replicas, ...sentinels, ...(added ? [added] : [])];
  return all.map((node) => ({ host: String(node.host), port: Number(node.port) }));
}

/** @param {Target} target @param {{port: number, upstream: NodeAddress}[]} routes @returns {Target} */
function relayed(target, routes) {
  const { nodes, replicas, tls } = target;
  const places = routes.map(({ port }) => ({ host: HOST, port }));
  const through = { ...target, ...places[0] };
  // The certificate names the server, not the relay.
  if (tls !== undefined && target.host !== HOST) through.tls = { servername: target.host, ...tls };
  if (nodes === undefined)
    return replicas ? { ...through, replicas: places.slice(1, 1 + replicas.length) } : through;
  const direct = Object.fromEntries(
    routes.map(({ upstream: { host, port } }, index) => [`${host}:${port}`, places[index]]),
  );
  return { ...through, addressMap: direct };
}

/** That has a relay; what it does is said in errors. @typedef {{does: string, entry: URL}} RelayProgram */

/** @type {RelayProgram} */
const DELAYING = {
  does: 'delays the traffic',
  entry: new URL('../relay/relay-entry.js', import.meta.url),
};

/**
 * A program that does this itself must not be delayed by it.
 * @param {RelayJob} job @param {number[] | null} cpus @param {RelayProgram} [program]
 */
export async function startRelayProcess(job, cpus, { does, entry } = DELAYING) {
  const relay = startAnswering({ name: `the relay, which ${does},`, entry, env: withoutNodeOptions() }, cpus);
  /** @type {{host: string, ports: number[]}} */
  const places = await relay.call('listen', job).catch(cleanUpAndRethrow(relay.kill));
  return { ...relay, ...places };
}

/** Enough for a p99 at low latency; over a network, the time limit ends it. */
const PINGS = { count: 200, mostMs: 500 };
const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };

/**
 * @param {Cell[]} cells of a group @param {GroupContext} context @returns {Promise<Map<Server, DistantServer>>}
 */
export async function openDistances(cells, context) {
  const { placeOf, record, onEvent } = context;
  const relays = new Map();
  for (const own of groupBy(cells, (cell) => placeOf(cell).server)) {
    const [{ distance }] = own;
    if (distance === undefined) continue;
    const placed = { ...context, ...placeOf(own[0]) };
    const distant = startDistantServer(distance, own, placed);
    relays.set(placed.server, distant);
    const { name: server } = placed.server.facts;
    try {
      const measured = await measureDistance(own, distant, placed);
      for (const each of groupBy(own, ({ group }) => group)) {
        const ofServer = server === undefined ? {} : { server, cells: each.map(({ id }) => id) };
        record({ type: 'distance', ...measured, group: each[0].group, ...ofServer });
      }
    } catch (error) {
      // The cells will meet the same error and fail with it.
      onEvent({ type: 'note', cell: null, fact: { kind: 'distance-unmeasured', why: messageOf(error) } });
    }
  }
  return relays;
}

/**
 * Through a relay without delay too.
 * @param {Cell[]} cells of one server @param {DistantServer} distant
 * @param {Place & Pick<RunContext, 'settings'>} context
 */
async function measureDistance(cells, distant, context) {
  const undelayed = startDistantServer(WITHOUT_DELAY, cells.slice(0, 1), context);
  try {
    const { direct, through } = await timePings(cells[0], [undelayed, distant], context);
    return { direct, undelayed: through[0], distant: through[1] };
  } finally {
    await undelayed.end();
  }
}

/**
 * Times PINGs from where the workers run: directly, and through relays, which are corrected by what they add to their delay.
 * @param {Pick<Cell, 'transport' | 'pin'>} cell @param {DistantServer[]} relays @param {Place} place
 */
export async function timePings({ transport, pin }, relays, { server, placer }) {
  const placement = placer.placementFor(pin);
  await placer.pinServer(placement);
  const worker = startBareWorker(placement.workerCpus);
  /** @param {Target | undefined} target @returns {Promise<MeasuredDistance['direct']>} */
  const ping = (target) => worker.call('round-trips', { target, ...PINGS });
  try {
    const direct = await ping(server.targets[transport]);
    const through = [];
    for (const relay of relays) {
      const target = await relay.targetOf(transport);
      const uncorrected = await ping(target);
      const { rttMs } = relay.distance;
      // Without delay, there is nothing to shorten.
      const lateUs = rttMs === 0 ? 0 : uncorrected.p50Us - direct.p50Us - rttMs * 1000;
      if (lateUs > 0) await relay.correct(lateUs);
      through.push(lateUs > 0 ? await ping(target) : uncorrected);
    }
    return { direct, through };
  } finally {
    await worker.kill();
  }
}
