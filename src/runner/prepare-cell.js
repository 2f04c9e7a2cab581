import { prepareTimeout } from '../plan/run-length.js';
import { createJob } from './job.js';
import { createObserver } from './observe.js';
import { whileAnswering } from './server-watch.js';
import { startWorkers as startHere } from './workers.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Target } from '../server/types.js'
 * @import { MeasuredCell } from './run-cell.js'
 * @import { CellFacts, RunContext, WorkerProcess } from './types.js'
 */

/** What is known of a worker before it has answered. */
const NO_FACTS = { connections: 0, effectiveOptions: {}, remarks: [] };

/**
 * Starts a worker and has it load the client and store the data, or takes one that has done so.
 *
 * @param {MeasuredCell} measured
 * @param {number} start
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

/**
 * @param {WorkerProcess} worker
 * @param {Cell} cell
 * @param {RunContext} context
 * @returns {Promise<CellFacts>}
 */
async function prepareWorker(worker, cell, context) {
  const { server, distant, settings } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  const ready = worker.call('prepare', createJob(cell, /** @type {Target} */ (target), context));
  return whileAnswering(server, ready, prepareTimeout(settings.runTimeoutMs));
}
