import { fileURLToPath } from 'node:url';
import { showsGrowth } from '../analysis/findings/growth.js';
import { repliesOf } from '../axes/sending.js';
import { byOthers } from '../plan/capacity.js';
import { arePairs } from '../plan/loads.js';
import { prepareTimeout } from '../plan/run-length.js';
import { ownSizes } from '../plan/sizes.js';
import { finishWorker } from './idle-workers.js';
import { createObserver } from './observe.js';
import { amongOthers } from './other-clients.js';
import { whileAnswering } from './server-watch.js';
import { startWorkers as startHere } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Chosen } from '../plugins/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Job } from '../worker/types.js' */
/** @import { CellLog } from './cell-log.js' */
/** @import { StartedWorker, RunContext } from './contexts.js' */
/** @import { CellFacts, Observer, WorkerProcess } from './types.js' */

/** What is known of a worker before it has answered. */
const NO_FACTS = { connections: 0, effectiveOptions: {}, remarks: [] };

/** @typedef {ReturnType<typeof createCellWorker>} CellWorker */

/**
 * The worker process that a cell has: one that goes on from another cell, or one of its own. It is begun once for each
 * start, and nothing else starts or ends it.
 * @param {Cell} cell @param {RunContext} context @param {Pick<CellLog, 'learn'>} log
 */
export function createCellWorker(cell, context, log) {
  const { idleWorkers, signal } = context;
  /** @type {(StartedWorker & {observe: Observer}) | null} */
  let started = null;
  function current() {
    if (started === null) throw new Error('a cell was run before its worker was started');
    return started;
  }
  /** @param {StartedWorker} worker */
  const hold = (worker) => {
    started = { ...worker, observe: createObserver(cell, worker.worker, context) };
  };
  return {
    /** It has loaded the client and stored the data when this resolves. */
    async begin() {
      const kept = idleWorkers?.take(cell) ?? null;
      if (kept !== null) hold(kept);
      let facts = kept && (await serveWith(kept, cell, context));
      if (facts === null) {
        signal.throwIfAborted();
        hold({ facts: NO_FACTS, warmWith: null, worker: startFor(cell, context) });
        facts = await prepareWorker(current().worker, cell, context);
      }
      current().facts = facts;
      log.learn({ effectiveOptions: facts.effectiveOptions });
    },

    isStarted: () => started !== null,
    worker: () => current().worker,
    facts: () => current().facts,
    /** @type {Observer} */
    observe: (length) => current().observe(length),
    /** With how many tasks it was warmed; null where it is cold. */
    warmWith: () => started?.warmWith ?? null,
    markWarm() {
      current().warmWith = cell.tasks;
    },
    interrupt: () => started?.worker.interrupt(),
    kill: async () => started?.worker.kill(),
    /** @returns {Promise<boolean>} whether it could remove the keys it stored */
    finish: async () => started === null || finishWorker(started),

    /** Leaves it to the next cell that can have it. */
    leave() {
      if (started !== null) idleWorkers?.keep(cell, started);
      started = null;
    },

    /** Ends it; another one may be begun. */
    async end() {
      await started?.worker.kill();
      started = null;
    },
  };
}

/** @param {Cell} cell @param {RunContext} context @returns {WorkerProcess} */
function startFor(cell, { server, placer, catalogue, onEvent, startWorkers = startHere }) {
  const workers = startWorkers(
    cell,
    placer.placementFor(cell.pin).workerCpus,
    (second) => onEvent({ type: 'second', cell, second }),
    catalogue.clients.get(cell.client)?.leaves,
  );
  // Other clients need not be as far from the server, and the cheapest client leaves most of the processors.
  const target = /** @type {Target} */ (server.targets[cell.transport]);
  const cheapest = { client: 'raw', variant: 'default', entry: null, clientOptions: {} };
  const isPlain = cell.topology === 'standalone' && target.transport !== 'tls';
  return amongOthers(workers, byOthers(cell), (job) => ({ ...job, target, ...(isPlain && cheapest) }));
}

/** @param {WorkerProcess} worker @param {Cell} cell @param {RunContext} context @returns {Promise<CellFacts>} */
async function prepareWorker(worker, cell, context) {
  const ready = worker.call('prepare', await jobOf(cell, context));
  return whileAnswering(context.server, ready, prepareTimeout(context.settings.runTimeoutMs));
}

/**
 * @param {StartedWorker} kept from another cell @param {Cell} cell @param {RunContext} context
 * @returns {Promise<CellFacts | null>} null where it cannot go on with this cell, and has been ended
 */
async function serveWith({ worker, facts }, cell, { server, settings }) {
  const serving = worker.call('serve', cell.tasks).catch(() => null);
  const connections = await whileAnswering(server, serving, prepareTimeout(settings.runTimeoutMs));
  if (connections !== null) return { ...facts, connections };
  await worker.kill();
  return null;
}

/** What a worker needs of a choice; its title is for sentences. @param {Chosen} chosen */
const choiceOf = ({ id, parameter }) => ({ id, parameter });

/** @param {Cell} cell @param {RunContext} context @returns {Promise<Job>} at the distance of the cell */
export async function jobOf(cell, context) {
  const { server, distant } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  return createJob(cell, /** @type {Target} */ (target), context);
}

/**
 * What a worker knows of its cell.
 * @param {Cell} cell @param {Target} target where it connects to @param {RunContext} context @returns {Job}
 */
export const createJob = (
  cell,
  target,
  { server, settings, catalogue, clientOptions, keyPrefix, isCounted = false },
) => ({
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
  beside: cell.beside.filter((part) => !part.byOthers),
  keySize: cell.keySize,
  valueSize: cell.valueSize,
  shortestValue: cell.shortestValue,
  keys: cell.keys,
  ownSizes: ownSizes(cell, catalogue),
  value: settings.value,
  keyDistribution: settings.keyDistribution,
  seed: settings.seed,
  latency: settings.latency === 'on' && !isCounted,
  ...(isCounted && { isCounted }),
  ...(cell.openLoop !== null && showsGrowth(settings) && { settles: true }),
  clientOptions: { ...clientOptions[cell.client], ...cell.ownVariant?.options },
  load: cell.openLoop,
  part: { index: 0, count: 1 },
  pairs: arePairs(cell.chosen.workload, catalogue),
  keyPrefix,
  oneSlot: cell.topology === 'cluster' && settings.oneSlot,
  target: cell.readFrom === undefined ? target : { ...target, readFrom: cell.readFrom },
  runIds: server.runIds,
  removal: server.removal,
});
