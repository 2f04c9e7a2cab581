import { fileURLToPath } from 'node:url';
import { repliesOf } from '../axes/sending.js';
import { arePairs } from '../plan/loads.js';
import { prepareTimeout } from '../plan/run-length.js';
import { ownSizes } from '../plan/sizes.js';
import { succeeds } from '../process/wait.js';
import { createObserver } from './observe.js';
import { whileAnswering } from './server-watch.js';
import { startWorkers as startHere } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Chosen } from '../plugins/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Job, Second } from '../worker/types.js' */
/** @import { CellLog } from './cell-log.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { CellFacts, Observer, WorkerProcess } from './types.js' */

/** What is known before a worker is prepared. */
const NO_FACTS = { connections: 0, effectiveOptions: {}, remarks: [] };

/** @typedef {{worker: WorkerProcess, facts: CellFacts, observe: Observer}} OwnWorker */
/** @typedef {ReturnType<typeof createCellWorker>} CellWorker */

/** A new one at each start. @param {Cell} cell @param {RunContext} context @param {Pick<CellLog, 'learn'>} [log] */
export function createCellWorker(cell, context, log) {
  const { server, settings, signal, placer, catalogue, onEvent } = context;
  const { startWorkers = startHere } = context;
  /** @type {OwnWorker | null} */
  let started = null;
  /** @param {Promise<any>} answer */
  const answered = (answer) => whileAnswering(server, answer, prepareTimeout(settings.runTimeoutMs));
  return {
    async begin() {
      signal.throwIfAborted();
      const { workerCpus } = placer.placementFor(cell.pin);
      const tell = (/** @type {Second} */ second) => onEvent({ type: 'second', cell, second });
      const { leaves } = catalogue.clients.get(cell.client) ?? {};
      const worker = startWorkers(cell, workerCpus, tell, leaves);
      const own = { facts: NO_FACTS, worker, observe: createObserver(cell, worker, context) };
      started = own;
      own.facts = await answered(worker.call('prepare', await jobOf(cell, context)));
      log?.learn({ effectiveOptions: own.facts.effectiveOptions });
    },

    started: () => started,
    current: () => /** @type {OwnWorker} */ (started),
    interrupt: () => started?.worker.interrupt(),
    /** @returns {Promise<boolean>} whether its keys were removed */
    finish: async () => started === null || succeeds(started.worker.call('finish')),

    async end() {
      await started?.worker.kill();
      started = null;
    },
  };
}

/** Drops the title, which is for sentences. @param {Chosen} chosen */
const choiceOf = ({ id, parameter }) => ({ id, parameter });

/** @param {Cell} cell @param {RunContext} context @returns {Promise<Job>} */
export async function jobOf(cell, context) {
  const { server, distant } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  return createJob(cell, /** @type {Target} */ (target), context);
}

/** @param {Cell} cell @param {Target} target where its worker connects @param {RunContext} context @returns {Job} */
export const createJob = (cell, target, { server, settings, catalogue, clientOptions, keyPrefix }) => ({
  client: cell.client,
  variant: cell.ownVariant?.base ?? cell.variant,
  entry: cell.release?.entry ? fileURLToPath(cell.release.entry) : null,
  pluginFolders: catalogue.folders,
  scenario: cell.scenario,
  scenarioOptions: cell.scenarioOptions,
  pipelining: choiceOf(cell.chosen.pipelining),
  workload: choiceOf(cell.chosen.workload),
  ...(cell.way !== undefined && { way: cell.way }),
  ...(cell.encode !== undefined && { encode: cell.encode }),
  ...(repliesOf(cell) !== undefined && { replies: repliesOf(cell) }),
  tasks: cell.tasks,
  appWorkUs: cell.appWorkUs,
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
  ...((settings.allowScripts || server.kind === 'managed') && { scripts: /** @type {const} */ ('open') }),
  removal: server.removal,
});
