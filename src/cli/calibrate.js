import { median } from 'simple-statistics';
import { checkRoom } from '../benchmark/run/memory-check.js';
import { messageOf, RunError, UsageError } from '../core/errors.js';
import { createPlacer } from '../core/machine/placement.js';
import { product } from '../core/plan/sizes.js';
import { untilAborted, withTimeLimit } from '../core/process/wait.js';
import { difference } from '../core/server/counters.js';
import { openServer } from '../core/server/open.js';
import { createKeyPrefix } from '../core/server/own-keys.js';
import { findPeers, runPeer, whyNoPeers } from '../core/server/peers.js';
import { runTimeout } from '../core/server/server-watch.js';
import { guardKeys, sweepKeys } from '../core/server/stored-keys.js';
import { externalTarget } from '../core/server/target.js';
import { latencyOf } from '../core/statistics/latency.js';
import { userStateFolder } from '../core/store/state-folder.js';
import { startWorker } from '../core/worker/workers.js';
import { CALIBRATE_OPTIONS } from '../options/command-tables.js';
import { readOptions } from '../options/read.js';

/** @import { Placement } from '../core/machine/types.js' */
/** @import { CalibrateSettings, Transport, Written } from '../options/types.js' */
/** @import { MemoryNeed } from '../core/plan/types.js' */
/** @import { PeerShape } from '../core/server/peers.js' */
/** @import { Server } from '../core/server/types.js' */
/** @import { CeilingRun } from '../core/worker/without-client.js' */
/** @import { BenchmarkHooks, Calibration, CeilingResult, Shape } from '../benchmark/types.js' */

/** @typedef {(shape: Shape, done: number, total: number) => void} OnShape */

/**
 * How fast one Node process drives the server without a client.
 * @param {Written<CalibrateSettings>} [given]
 * @param {Pick<BenchmarkHooks, 'signal' | 'urlOrigin' | 'stateFolder'> & {onShape?: OnShape}} [hooks]
 * @returns {Promise<Calibration>} @throws {UsageError | ServerError | RunError}
 */
export async function calibrate(
  given = {},
  {
    signal = new AbortController().signal,
    onShape = () => {},
    urlOrigin,
    stateFolder = userStateFolder(),
  } = {},
) {
  /** @type {CalibrateSettings} */
  const settings = readOptions(CALIBRATE_OPTIONS, given);
  const external = externalTarget(settings, urlOrigin);
  const noPeers = settings.peers ? whyNoPeers(external) : null;
  const peers = settings.peers && noPeers === null ? await findPeers() : [];
  const { serverBin, transport = [] } = settings;
  const server = await openServer(external, { serverBin, withTls: transport.includes('tls') });
  try {
    checkRoom(server, neededFor(settings), settings);
    const placer = await createPlacer(server, [settings.pin]);
    const placement = placer.placementFor(settings.pin);
    await placer.pinServer(placement);
    const notes = new Set(noPeers === null ? [] : [noPeers]);
    return await measureOn({ server, placement, settings, peers, notes, signal, stateFolder }, onShape);
  } finally {
    await server.close();
  }
}

/**
 * @param {Pick<Bench, 'server' | 'placement' | 'settings' | 'peers' | 'notes' | 'signal'> & {stateFolder: string | null}} on
 * @param {OnShape} onShape @returns {Promise<Calibration>}
 */
async function measureOn({ stateFolder, ...on }, onShape) {
  const { server, placement, settings, peers, notes, signal } = on;
  const { connections, depth, transport, size, poll } = settings;
  const prefix = createKeyPrefix();
  const keys = await guardKeys([server], prefix, stateFolder);
  const value = 'x'.repeat(size);
  const worker = startWorker(placement.workerCpus);
  /** @type {Bench} */
  const bench = { ...on, key: `${prefix}1`, value, worker };
  try {
    await server.control.command('SET', bench.key, value);
    const offered = /** @type {Transport[]} */ (Object.keys(server.targets));
    const shapes = product({ transport: transport ?? offered, connections, depth });
    const results = await measureAll(shapes, bench, onShape);
    return { server: server.facts, placement, size, poll, peers, results, notes: [...notes] };
  } finally {
    await worker.kill();
    keys.doubt(server);
    await keys.end(() => sweepKeys(server, prefix, signal));
  }
}

/** The key and unsent replies. @param {CalibrateSettings} settings @returns {{bytes: number, data: MemoryNeed}} */
const neededFor = ({ size, connections, depth }) => ({
  bytes: 1e6 + size * (2 + Math.max(...connections) * Math.max(...depth)),
  data: { keys: 1, valueSize: size },
});

/** @param {Shape[]} shapes @param {Bench} bench @param {OnShape} onShape @returns {Promise<CeilingResult[]>} */
async function measureAll(shapes, bench, onShape) {
  const { signal } = bench;
  const results = [];
  for (const [index, shape] of shapes.entries()) {
    if (signal.aborted) break;
    onShape(shape, index, shapes.length);
    try {
      results.push(await measureShape(bench, shape));
    } catch (error) {
      if (signal.aborted) break;
      throw error;
    }
  }
  return results;
}

/**
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

/** @typedef {CeilingRun & {serverCpuUs: number | null}} Observed */

/** V8 still compiles at first. */
const WARM_UP_MS = 300;

/**
 * Takes the median over the runs, also for each peer.
 * @param {Bench} bench @param {Shape} shape @returns {Promise<CeilingResult>}
 * @throws {RunError} when a reply was wrong or the server counted differently
 */
async function measureShape(bench, shape) {
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
    // So that peers take about as long as our own loop.
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

/** @param {Bench} bench @param {string} peer @param {PeerShape} shape @returns {Promise<number | null>} */
async function askPeer({ placement, signal, notes }, peer, shape) {
  try {
    return await runPeer(peer, shape, placement.workerCpus, signal);
  } catch (error) {
    signal.throwIfAborted();
    notes.add(messageOf(error));
    return null;
  }
}

/** @param {Shape} shape @param {Observed[]} observed @param {Record<string, number[]>} others */
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
