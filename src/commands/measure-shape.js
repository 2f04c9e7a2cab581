import { median } from 'simple-statistics';
import { latencyOf } from '../analysis/statistics/latency.js';
import { messageOf, RunError, UsageError } from '../errors.js';
import { runTimeout } from '../plan/run-length.js';
import { untilAborted, withTimeLimit } from '../process/wait.js';
import { runPeer } from '../runner/peers.js';
import { difference } from '../server/counters.js';

/** @import { Placement } from '../machine/types.js' */
/** @import { CalibrateSettings } from '../options/types.js' */
/** @import { PeerShape } from '../runner/peers.js' */
/** @import { startWorker } from '../runner/workers.js' */
/** @import { Server } from '../server/types.js' */
/** @import { CeilingRun } from '../worker/types.js' */
/** @import { CeilingResult, Shape } from './types.js' */

/**
 * What all shapes of a calibration have in common.
 *
 * @typedef {object} Bench
 * @property {Server} server
 * @property {Placement} placement
 * @property {CalibrateSettings} settings
 * @property {string[]} peers
 * @property {string} key
 * @property {string} value of the key
 * @property {ReturnType<typeof startWorker>} worker runs every shape
 * @property {Set<string>} notes why peers have no figure
 * @property {AbortSignal} signal
 */

/** @typedef {CeilingRun & {serverCpuUs: number | null}} Observed a run, with what the server says of it */

/** V8 is still compiling at first. */
const WARM_UP_MS = 300;

/**
 * The median of a shape's runs, and of each peer's.
 * @param {Bench} bench @param {Shape} shape @returns {Promise<CeilingResult>}
 * @throws {RunError} when a reply was wrong, or the server's count differs from ours
 */
export async function measureShape(bench, shape) {
  const { runs, durationMs } = bench.settings;
  await runOnce(bench, shape, WARM_UP_MS);
  /** @type {Observed[]} */
  const observed = [];
  /** @type {Record<string, number[]>} */
  const others = Object.fromEntries(bench.peers.map((peer) => [peer, []]));
  for (let round = 0; round < runs; round++) {
    const { run, target, seen } = await runOnce(bench, shape, durationMs);
    const counted = seen?.calls?.get;
    if (counted !== undefined && counted !== run.operations) {
      throw new RunError(`${run.operations} GET got a reply, but the server counted ${counted}`);
    }
    observed.push({ ...run, serverCpuUs: seen?.mainThreadCpuUs ?? null });
    // The peers then take about as long as our own loop.
    const requests = run.operations;
    for (const peer of bench.peers) {
      const figure = await askPeer(bench, peer, { ...shape, target, key: bench.key, requests });
      if (figure !== null) others[peer].push(figure);
    }
  }
  return resultOf(shape, observed, others);
}

/** @param {Bench} bench @param {Shape} shape @param {number} durationMs */
async function runOnce(bench, { transport, connections, depth }, durationMs) {
  const { server, key, value, worker, signal } = bench;
  const target = server.targets[transport];
  if (target === undefined) {
    throw new UsageError(`--transport: the server's address does not offer ${transport}`);
  }
  const { poll } = bench.settings;
  const before = await server.snapshot();
  const answer = worker.call('ceiling', { target, key, value, connections, depth, poll, durationMs });
  /** @type {CeilingRun} */
  const run = await withTimeLimit(runTimeout(undefined, durationMs), untilAborted(signal, answer));
  return { run, target, seen: difference(before, await server.snapshot()) };
}

/**
 * @param {Bench} bench @param {string} peer @param {PeerShape} shape
 * @returns {Promise<number | null>} null if it gave no figure; the other figures stay
 */
async function askPeer({ placement, signal, notes }, peer, shape) {
  try {
    return await runPeer(peer, shape, placement.workerCpus, signal);
  } catch (error) {
    signal.throwIfAborted();
    const { target, connections, depth } = shape;
    notes.add(`${target.transport}, ${connections} × ${depth}: ${messageOf(error)}`);
    return null;
  }
}

/**
 * @param {Shape} shape @param {Observed[]} observed
 * @param {Record<string, number[]>} others the figures of each peer @returns {CeilingResult}
 */
function resultOf(shape, observed, others) {
  const latency = latencyOf(observed.flatMap(({ hdr }) => hdr ?? []));
  return {
    ...shape,
    opsPerSecond: median(observed.map(({ operations, elapsedMs }) => (operations / elapsedMs) * 1000)),
    p50Us: latency?.p50Us ?? 0,
    p99Us: latency?.p99Us ?? 0,
    cpuUsPerOp: median(observed.map(({ cpuUs, operations }) => cpuUs / operations)),
    serverBusy: busyShare(observed),
    verified: observed.every(({ operations, wrongChunks }) => operations > 0 && wrongChunks === 0),
    peers: Object.fromEntries(
      Object.entries(others).map(([peer, figures]) => [peer, figures.length > 0 ? median(figures) : null]),
    ),
  };
}

/** @param {{serverCpuUs: number | null, elapsedMs: number}[]} observed @returns {number | null} */
function busyShare(observed) {
  const shares = observed.flatMap(({ serverCpuUs, elapsedMs }) =>
    serverCpuUs === null ? [] : [Math.min(1, serverCpuUs / 1000 / elapsedMs)],
  );
  return shares.length > 0 ? median(shares) : null;
}
