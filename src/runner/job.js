import { fileURLToPath } from 'node:url';
import { arePairs } from '../plan/loads.js';
import { ownSizes } from '../plan/sizes.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Target } from '../server/types.js'
 * @import { Job } from '../worker/types.js'
 * @import { RunContext } from './types.js'
 */

/**
 * Keys that are only read get a time to live, in case nobody is left to remove them. Measured with
 * Redis 7.0, eight rounds each: GET costs the server as much with it as without.
 */
const DAY_MS = 24 * 3600 * 1000;

/**
 * What a worker is told about its cell.
 *
 * @param {Cell} cell
 * @param {Target} target where it connects to
 * @param {RunContext} context
 * @returns {Job}
 */
export const createJob = (cell, target, { server, settings, catalogue, clientOptions, keyPrefix }) => ({
  client: cell.client,
  variant: cell.ownVariant?.base ?? cell.variant,
  entry: cell.release?.entry ? fileURLToPath(cell.release.entry) : null,
  pluginFolders: catalogue.folders,
  scenario: cell.scenario,
  scenarioOptions: cell.scenarioOptions,
  pipelining: cell.chosen.pipelining,
  workload: cell.chosen.workload,
  tasks: cell.tasks,
  appWorkUs: cell.appWorkUs,
  beside: cell.beside,
  keySize: cell.keySize,
  valueSize: cell.valueSize,
  shortestValue: cell.shortestValue,
  keys: cell.keys,
  ownSizes: ownSizes(cell, catalogue),
  value: settings.value,
  keyDistribution: settings.keyDistribution,
  seed: settings.seed,
  latency: settings.latency === 'on',
  clientOptions: { ...clientOptions[cell.client], ...cell.ownVariant?.options },
  load: cell.openLoop,
  part: { index: 0, count: 1 },
  pairs: arePairs(cell.chosen.workload, catalogue),
  keyPrefix,
  oneSlot: cell.topology === 'cluster' && settings.oneSlot,
  target: cell.readFrom === undefined ? target : { ...target, readFrom: cell.readFrom },
  runIds: server.runIds,
  removal: server.removal,
  expireAfterMs: server.kind === 'external' ? DAY_MS : null,
});
