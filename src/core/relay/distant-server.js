import { pinProcess } from '../machine/processors.js';
import { startAnswering } from '../process/answering.js';

/** @import { Transport } from '../../options/types.js' */
/** @import { Cell } from '../plan/types.js' */
/** @import { Distance, RelayFault, RelayFigures, RelayJob, RelayRecording, Struck } from './types.js' */
/** @import { ManagedProcess, NodeAddress, Server, Target } from '../server/types.js' */
/** @import { Placement } from '../machine/types.js' */
/** @import { RunContext } from '../run/types.js' */
/** @import { EndReason } from '../../traffic/types.js' */

/** @typedef {ReturnType<typeof startDistantServer>} DistantServer */

const HOST = '127.0.0.1';

/**
 * Puts a relay in front of these cells' server. Returns at once; each function throws if the relay fails to start.
 * @param {Distance} distance @param {Pick<Cell, 'pin' | 'transport'>[]} cells
 * @param {Pick<RunContext, 'server' | 'placer' | 'settings'> & {spare?: ManagedProcess | null}} context
 */
export function startDistantServer(distance, cells, { server, placer, settings, spare = null }) {
  const transports = [...new Set(cells.map(({ transport }) => transport))];
  const routes = transports.flatMap((transport) =>
    nodesOf(server, transport, spare).map((upstream) => ({ transport, upstream })),
  );
  /** Correction per distance. @type {Map<number, number>} */
  const corrections = new Map();
  let { rttMs } = distance;
  let cpus = placer.placementFor(cells[0].pin).relayCpus ?? null;
  const upstreams = routes.map(({ upstream }) => upstream);
  const starting = startRelayProcess({ upstreams, distance, seed: settings.seed }, cpus);
  // The first caller gets the error.
  starting.catch(() => {});
  return {
    /** @param {Transport} transport @returns {Promise<Target>} where workers connect */
    async targetOf(transport) {
      const { ports } = await starting;
      const own = routes.flatMap((route, index) =>
        route.transport === transport ? { port: ports[index], upstream: route.upstream } : [],
      );
      return relayed(/** @type {Target} */ (server.targets[transport]), own);
    },

    /** @param {Placement} placement */
    async pin({ relayCpus }) {
      const { pid } = await starting;
      if (relayCpus === undefined || cpus === null || relayCpus.join() === cpus.join()) return;
      await pinProcess(Number(pid), relayCpus);
      cpus = relayCpus;
    },

    takeFigures: async () => (await starting).takeFigures(),

    /** Open connections stay open. @param {Distance} to */
    async moveTo(to) {
      const relay = await starting;
      rttMs = to.rttMs;
      await relay.move(to);
      await relay.correct(corrections.get(rttMs) ?? 0);
    },

    /** For the current distance. @param {number} us */
    async correct(us) {
      corrections.set(rttMs, us);
      await (await starting).correct(us);
    },

    /** @param {RelayFault} fault */
    fault: async (fault) => (await starting).fault(fault),

    end: async () => (await starting.catch(() => null))?.kill(),
  };
}

/**
 * @param {Server} server @param {Transport} transport @param {ManagedProcess | null} spare
 * @returns {NodeAddress[]} primaries, replicas, Sentinels, and the spare node of a cluster
 */
function nodesOf({ targets, topology }, transport, spare) {
  const { nodes, replicas = [], sentinels = [], host, port } = /** @type {Target} */ (targets[transport]);
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

/** @typedef {Awaited<ReturnType<typeof startRelayProcess>>} RelayProcess */

const ENTRY = new URL('./relay-entry.js', import.meta.url);

/** A program that records itself must not delay its commands. @param {RelayJob} job @param {number[] | null} cpus */
export async function startRelayProcess(job, cpus) {
  const does = job.recording ? 'records the traffic' : 'delays the traffic';
  const { pid, call, kill } = startAnswering({ name: `the relay, which ${does},`, entry: ENTRY }, cpus);
  try {
    /** @type {{host: string, ports: number[]}} */
    const places = await call('listen', job);
    return {
      pid,
      ...places,
      /** For traffic since the last call. @returns {Promise<RelayFigures>} */
      takeFigures: () => call('figures'),
      /** @param {Distance} distance @returns {Promise<void>} */
      move: (distance) => call('move', distance),
      /** Subtracts a PING's excess time. @param {number} us @returns {Promise<void>} */
      correct: (us) => call('correct', us),
      /** Breaks or repairs something. @param {RelayFault} fault @returns {Promise<Struck>} */
      fault: (fault) => call('fault', fault),
      /** @returns {Promise<RelayRecording>} */
      state: () => call('state'),
      /** Ends the recording and closes all connections. @param {EndReason} reason @returns {Promise<RelayRecording>} */
      stop: (reason) => call('stop', reason),
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}
