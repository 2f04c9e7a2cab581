import { pinProcess } from '../machine/processors.js';
import { startRelayProcess } from './relay-process.js';

/** @import { Transport } from '../options/types.js' */
/** @import { Cell } from '../plan/types.js' */
/** @import { Distance, RelayFault } from '../relay/types.js' */
/** @import { NodeAddress, Server, Target } from '../server/types.js' */
/** @import { Placement } from '../machine/types.js' */
/** @import { RunContext } from './contexts.js' */

/** @typedef {ReturnType<typeof startDistantServer>} DistantServer */

const HOST = '127.0.0.1';

/**
 * Puts a relay between the workers of these cells and their server; the tool's own connections go directly. It is
 * returned at once: what fails while the relay starts is thrown by all of its functions.
 * @param {Distance} distance @param {Pick<Cell, 'pin' | 'transport'>[]} cells
 * @param {Pick<RunContext, 'server' | 'placer' | 'settings'>} context
 */
export function startDistantServer(distance, cells, { server, placer, settings }) {
  const transports = [...new Set(cells.map(({ transport }) => transport))];
  const routes = transports.flatMap((transport) =>
    nodesOf(server, transport).map((upstream) => ({ transport, upstream })),
  );
  /** What was found to be taken off, by distance. @type {Map<number, number>} */
  const corrections = new Map();
  let { rttMs } = distance;
  let cpus = placer.placementFor(cells[0].pin).relayCpus ?? null;
  const upstreams = routes.map(({ upstream }) => upstream);
  const starting = startRelayProcess({ upstreams, distance, seed: settings.seed }, cpus);
  // The first to use it gets the error.
  starting.catch(() => {});
  return {
    /** @param {Transport} transport @returns {Promise<Target>} where workers connect to */
    async targetOf(transport) {
      const { ports } = await starting;
      const own = ports.filter((_, index) => routes[index].transport === transport);
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

    /** Connections that are open stay so. @param {Distance} to */
    async moveTo(to) {
      const relay = await starting;
      rttMs = to.rttMs;
      await relay.move(to);
      await relay.correct(corrections.get(rttMs) ?? 0);
    },

    /** Holds for the distance at which it is. @param {number} us */
    async correct(us) {
      corrections.set(rttMs, us);
      await (await starting).correct(us);
    },

    /** @param {RelayFault} fault */
    fault: async (fault) => (await starting).fault(fault),

    end: () =>
      starting.then(
        (relay) => relay.kill(),
        () => {},
      ),
  };
}

/** @param {Server} server @param {Transport} transport @returns {NodeAddress[]} replicas, and then Sentinels, last */
function nodesOf({ targets }, transport) {
  const { nodes, replicas = [], sentinels = [], host, port } = /** @type {Target} */ (targets[transport]);
  return [...(nodes ?? [{ host: String(host), port: Number(port) }]), ...replicas, ...sentinels];
}

/**
 * @param {Target} target @param {number[]} ports of the relay, one for each node, replica and Sentinel
 * @returns {Target} the same server through the relay
 */
function relayed(target, ports) {
  const { nodes, replicas = [], sentinels = [], tls } = target;
  const places = ports.map((port) => ({ host: HOST, port }));
  const beforeSentinels = places.length - sentinels.length;
  const primaries = places.slice(0, beforeSentinels - replicas.length);
  const others = {
    ...(replicas.length > 0 && { replicas: places.slice(primaries.length, beforeSentinels) }),
    ...(sentinels.length > 0 && { sentinels: places.slice(beforeSentinels) }),
  };
  const through = { ...target, ...others, ...places[0] };
  // The certificate is the server's, not that of the relay's address.
  if (tls !== undefined && target.host !== HOST) through.tls = { servername: target.host, ...tls };
  if (nodes === undefined) return through;
  const addressMap = Object.fromEntries(
    [...nodes, ...replicas, ...sentinels].map(({ host, port }, index) => [`${host}:${port}`, places[index]]),
  );
  return { ...through, nodes: primaries, addressMap };
}
