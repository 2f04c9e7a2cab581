import { createPlacer } from '../machine/placement.js';
import { CALIBRATE_OPTIONS } from '../options/command-tables.js';
import { readOptions } from '../options/read-options.js';
import { createKeyPrefix } from '../own-keys.js';
import { product } from '../plan/sizes.js';
import { userStateFolder } from '../results/state-folder.js';
import { findPeers } from '../runner/peers.js';
import { guardKeys, sweepKeys } from '../runner/stored-keys.js';
import { startWorker } from '../runner/workers.js';
import { openServer } from '../server/open.js';
import { externalTarget } from '../server/target.js';
import { measureShape } from './measure-shape.js';
import { checkRoom } from './memory-check.js';

/** @import * as api from '../api.js' */
/** @import { MemoryNeed } from '../plan/types.js' */
/** @import { CalibrateSettings, Transport } from '../options/types.js' */
/** @import { Bench } from './measure-shape.js' */
/** @import { CeilingResult, Shape } from './types.js' */

/** @typedef {(shape: Shape, done: number, total: number) => void} OnShape */

/** @type {typeof api.calibrate} */
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
  const peers = settings.peers ? await findPeers() : [];
  const { serverBin, transport = [] } = settings;
  const server = await openServer(external, { serverBin, withTls: transport.includes('tls') });
  try {
    checkRoom(server, neededFor(settings), settings);
    const placer = await createPlacer(server, [settings.pin]);
    const placement = placer.placementFor(settings.pin);
    await placer.pinServer(placement);
    return await measureOn({ server, placement, settings, peers, signal, stateFolder }, onShape);
  } finally {
    await server.close();
  }
}

/**
 * @param {Pick<Bench, 'server' | 'placement' | 'settings' | 'peers' | 'signal'> & {stateFolder: string | null}} on
 * @param {OnShape} onShape @returns {ReturnType<typeof api.calibrate>}
 */
async function measureOn({ stateFolder, ...on }, onShape) {
  const { server, placement, settings, peers, signal } = on;
  const { connections, depth, transport, size, poll } = settings;
  const prefix = createKeyPrefix();
  const keys = await guardKeys([server], prefix, stateFolder);
  const value = 'x'.repeat(size);
  const worker = startWorker(placement.workerCpus);
  /** @type {Bench} */
  const bench = { ...on, key: `${prefix}1`, value, worker, notes: new Set() };
  try {
    await server.control.set(bench.key, value);
    const offered = /** @type {Transport[]} */ (Object.keys(server.targets));
    const shapes = product({ transport: transport ?? offered, connections, depth });
    const results = await measureAll(shapes, bench, onShape);
    return { server: server.facts, placement, size, poll, peers, results, notes: [...bench.notes] };
  } finally {
    await worker.kill();
    keys.doubt(server);
    await keys.end(() => sweepKeys(server, prefix, signal));
  }
}

/**
 * @param {CalibrateSettings} settings
 * @returns {{bytes: number, data: MemoryNeed}} the key, and the replies that wait to be sent
 */
const neededFor = ({ size, connections, depth }) => ({
  bytes: 1e6 + size * (2 + Math.max(...connections) * Math.max(...depth)),
  data: { keys: 1, valueSize: size },
});

/**
 * @param {Shape[]} shapes @param {Bench} bench @param {OnShape} onShape
 * @returns {Promise<CeilingResult[]>} those measured before an interrupt, otherwise all
 */
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
