import { fileURLToPath } from 'node:url';
import { arePairs } from '../plan/loads.js';
import { prepareTimeout } from '../plan/run-length.js';
import { ownSizes } from '../plan/sizes.js';
import { createObserver } from './observe.js';
import { whileAnswering } from './server-watch.js';
import { startWorkers as startHere } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { MeasuredCell } from './run-cell.js' */
/** @import { CellFacts, RunContext, WorkerProcess } from './types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Job } from '../worker/types.js' */
/** @import { Chosen } from '../plugins/types.js' */

/** What is known of a worker before it has answered. */
const NO_FACTS = { connections: 0, effectiveOptions: {}, remarks: [] };

/**
 * Starts a worker and has it load the client and store the data, or takes one that has done so.
 * @param {MeasuredCell} measured @param {number} start
 */
export async function prepareCell(measured, start) {
  const { cell, context, log } = measured;
  measured.start = start;
  const kept = (await context.lives?.take(cell)) ?? null;
  const worker = kept?.worker ?? startWorkerFor(cell, context);
  const life = {
    worker,
    facts: kept?.facts ?? NO_FACTS,
    warmWith: kept?.warmWith ?? null,
    observe: createObserver(cell, worker, context),
  };
  measured.life = life;
  if (kept === null) life.facts = await prepareWorker(worker, cell, context);
  log.facts.effectiveOptions = life.facts.effectiveOptions;
}

/** @param {Cell} cell @param {RunContext} context */
const startWorkerFor = (cell, { placer, catalogue, onEvent, startWorkers = startHere }) =>
  startWorkers(
    cell,
    placer.placementFor(cell.pin).workerCpus,
    (second) => onEvent({ type: 'second', cell, second }),
    catalogue.clients.get(cell.client)?.leaves,
  );

/** @param {WorkerProcess} worker @param {Cell} cell @param {RunContext} context @returns {Promise<CellFacts>} */
async function prepareWorker(worker, cell, context) {
  const { server, distant, settings } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  const ready = worker.call('prepare', createJob(cell, /** @type {Target} */ (target), context));
  return whileAnswering(server, ready, prepareTimeout(settings.runTimeoutMs));
}

/**
 * Keys that are only read get a time to live, in case nobody is left to remove them. Measured with
 * Redis 7.0, eight rounds each: GET costs the server as much with it as without.
 */
const DAY_MS = 24 * 3600 * 1000;

/** What a worker needs of a choice; its title is for sentences. @param {Chosen} chosen */
const choiceOf = ({ id, parameter }) => ({ id, parameter });

/**
 * What a worker is told about its cell.
 * @param {Cell} cell @param {Target} target where it connects to @param {RunContext} context @returns {Job}
 */
export const createJob = (cell, target, { server, settings, catalogue, clientOptions, keyPrefix }) => ({
  client: cell.client,
  variant: cell.ownVariant?.base ?? cell.variant,
  entry: cell.release?.entry ? fileURLToPath(cell.release.entry) : null,
  pluginFolders: catalogue.folders,
  scenario: cell.scenario,
  scenarioOptions: cell.scenarioOptions,
  pipelining: choiceOf(cell.chosen.pipelining),
  workload: choiceOf(cell.chosen.workload),
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
