import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from '../process/read-file.js';
import { isTimeout, withTimeLimit } from '../process/wait.js';
import { numberIn } from './replies.js';

/** @import { ServerError } from '../errors.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Placement } from '../machine/types.js' */
/** @import { Cell } from '../run/plan/types.js' */
/** @import { Place } from '../run/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { Server, Snapshot } from './types.js' */

const ASK_EVERY_MS = 1000;

/** A command that takes long keeps a server on this machine computing. */
const BUSY_SHARE = 0.25;

/**
 * Whether a server of this machine has computed since the last call, as one that hangs does not.
 * @param {Pick<Server, 'isLocal' | 'pids'>} server @returns {() => boolean} always false of one elsewhere
 */
export function watchBusy({ isLocal, pids }) {
  const cpuMs = () =>
    isLocal
      ? pids.reduce((sum, pid) => sum + Number.parseInt(textOf(`/proc/${pid}/schedstat`), 10) / 1e6, 0)
      : 0;
  let last = { atMs: performance.now(), cpuMs: cpuMs() };
  return () => {
    const now = { atMs: performance.now(), cpuMs: cpuMs() };
    const isBusy = now.cpuMs - last.cpuMs > BUSY_SHARE * (now.atMs - last.atMs);
    last = now;
    return isBusy;
  };
}

/**
 * While the server responds. A command of the user may keep it from that: one on this machine is waited for as long as it
 * computes, one elsewhere for `patienceMs`.
 * @template T @param {Server} server @param {Promise<T>} work @param {number} limitMs @param {number} [patienceMs]
 */
export async function whileAnswering(server, work, limitMs, patienceMs = 0) {
  let over = false;
  const isBusy = watchBusy(server);
  const watch = async () => {
    let answeredMs = performance.now();
    while (!over) {
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
      if (over) break;
      try {
        isBusy();
        await server.control.ping();
        answeredMs = performance.now();
      } catch (error) {
        const { message, cause } = Object(error);
        // It runs a script, and says so.
        const isScript = /\bBUSY\b/.test(message);
        const isPatient = isBusy() || performance.now() - answeredMs < patienceMs;
        if (!isScript && !(isTimeout(cause) && isPatient)) throw error;
      }
    }
    return work;
  };
  const first = Promise.race([work, watch()]);
  return withTimeLimit(limitMs, first, '--run-timeout').finally(() => {
    over = true;
  });
}

/** @param {Server} server @returns {Promise<ServerError | null>} why it is lost, if so */
export const lossOf = (server) =>
  server.confirm().then(
    () => null,
    (error) => error,
  );

/** Detects evictions that make room for the benchmark. @param {Snapshot | null} start before anything is stored */
export function createEvictionWatch(start) {
  let last = start?.evictedKeys ?? null;
  return {
    /** Since the start. @param {Snapshot | null} snapshot */
    mayHaveExpired: (snapshot) => (snapshot?.expiredKeys ?? null) !== (start?.expiredKeys ?? null),
    /** Keys evicted since the last call. @param {Snapshot | null} snapshot */
    since(snapshot) {
      const now = snapshot?.evictedKeys ?? null;
      // A counter that was reset meanwhile has counted from 0.
      const evicted = now === null || last === null ? 0 : now - (now < last ? 0 : last);
      last = now;
      return evicted;
    },
  };
}

/** A run that takes longer is taken to hang. */
const TIMES_EXPECTED = 10;
/** A short run on a busy machine may take much longer than expected. */
const SHORTEST_MS = 30_000;
/** For a first run of unknown length. */
const UNKNOWN_MS = 600_000;

/** Ms after which a run has failed. @param {number | undefined} given by the user @param {number | null} expectedMs */
export function runTimeout(given, expectedMs) {
  if (given !== undefined) return given;
  return expectedMs === null ? UNKNOWN_MS : Math.max(SHORTEST_MS, expectedMs * TIMES_EXPECTED);
}

/** For anything else, such as connecting and storing data. @param {number | undefined} given */
export const prepareTimeout = (given) => (given === undefined ? UNKNOWN_MS : Math.max(given, SHORTEST_MS));

/** The tool's own connection waits as long for a reply: a shorter time is about runs. */
const SHORTEST_HANG_MS = 5000;
/** Ms without any reply after which a server hangs. @param {number | undefined} given */
export const hangTimeout = (given) => (given === undefined ? SHORTEST_MS : Math.max(given, SHORTEST_HANG_MS));

/** @param {Pick<Server, 'facts'>} server @returns {number} I/O threads */
const threadsOf = ({ facts }) => numberIn(facts.config['io-threads']) || 1;

/** @param {Pick<Server, 'facts'>} server @returns {number} per primary */
const replicasOf = ({ facts }) => (facts.replicas?.length ?? 0) / (facts.nodes?.length ?? 1);

/** @param {Pick<Server, 'facts'>} server @returns {number} CPUs that it and its replicas can use */
export const processorsFor = (server) => threadsOf(server) * (1 + replicasOf(server));

/** Whether it has fewer CPUs than it can use. @param {Pick<Server, 'facts'>} server @param {Placement} placement */
export const isCrowded = (server, { serverCpus }) =>
  serverCpus !== null && processorsFor(server) > serverCpus.length;

/**
 * Notes servers with fewer CPUs than threads, if that limits what is measured.
 * @param {Pick<Place, 'server' | 'placer'>[]} places @param {Cell[]} cells @param {Pick<Settings, 'replicas'>} settings
 * @returns {Notice[]}
 */
export function threadNotes(places, cells, { replicas }) {
  // Sentinels have replicas in any case.
  const areUsed = replicas > 0 || cells.some(({ readFrom }) => readFrom === 'replica');
  return places.flatMap(({ server, placer: { placements } }) => {
    const threads = threadsOf(server);
    const own = areUsed ? replicasOf(server) : 0;
    const used = threads * (1 + own);
    const cpus = Math.min(...placements.map(({ serverCpus }) => serverCpus?.length ?? used));
    const name = server.facts.name ?? null;
    return cpus >= used ? [] : { kind: 'few-processors', server: name, threads, replicas: own, cpus };
  });
}
