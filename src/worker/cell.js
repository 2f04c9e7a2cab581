import { createAnswers } from './answers.js';
import { createBatchMeter } from './batch-meter.js';
import { createAppWork, followedByWork } from './busy-work.js';
import { createConnections } from './cell-connections.js';
import { loadParts } from './cell-parts.js';
import { createCommandRecorder } from './command-recorder.js';
import { startCompany } from './company.js';
import { companySteps } from './company-steps.js';
import { createCycle } from './cycle.js';
import { describeOptions } from './describe-options.js';
import { allOf, createItems, createOwnItems } from './items.js';
import { learnReplies } from './learn-replies.js';
import { measure, measureOpenLoop } from './measure.js';
import { startProbes } from './probes.js';
import { createNoRecorder, createRecorder } from './recorder.js';
import { roleOf } from './role.js';
import { startTogether } from './start-together.js';
import { expireKeys, missingKeys, removeKeys, storeData } from './store-data.js';
import { createTally } from './tally.js';
import { createExactClock, createTurnClock } from './turn-clock.js';

/**
 * @import { Connection, Items, Step, WorkloadPlugin } from '../plugins/types.js'
 * @import { CompanyCounts, Job, Measured, RunLength, Second } from './types.js'
 */

/**
 * One cell, ready to run: its client loaded, its connections open, its data stored and read back.
 *
 * The connections are opened once and serve all runs, and no other client is ever made in this
 * process: code that has seen one client only is compiled for that one. Measured, node-redis takes
 * 6 to 10 % more CPU on a shared connection once the process has made a second client.
 *
 * @param {Job} job
 */
export async function createCell(job) {
  const parts = await loadParts(job);
  const work = createWork(job, parts.workload, parts.pipelining.batchSize?.(job.pipelining.parameter));
  const connections = await createConnections(job, parts, work.meter);
  const held = connections.opened();
  const facts = await connections.use(async (connection) => {
    await connections.checkAll(job.runIds);
    const remarks = await prepareData(connection, job, parts.workload, work);
    return {
      /** How many are held open. */
      connections: held,
      /** The client's options as it uses them. */
      effectiveOptions: describeOptions(connection.effectiveOptions),
      /** What cannot be checked, in sentences. */
      remarks,
    };
  });
  const { items, stored, steps } = work;
  let control = { stopped: false };

  return {
    facts,

    /**
     * What a run needs besides its time: nothing, except where its data must not be there yet. Then the first
     * process removes it, and all begin with their first key again, so that those of different roles meet at
     * the same keys. Elsewhere the order continues where the last run ended; otherwise short runs over many
     * keys would never get beyond the first of them.
     */
    async beforeRun() {
      items.restart();
      for (const step of steps) step.restart?.();
      if (job.part.index > 0) return;
      await connections.use((connection) => removeKeys(connection, stored, job.removal));
    },

    /** @returns {PromiseLike<number>} how many of its keys are gone */
    missingKeys: () => connections.use((connection) => missingKeys(connection, stored)),

    /**
     * @param {RunLength & {startAtMs?: number}} length without `iterations` a closed
     *   loop goes on until it is stopped; `startAtMs` is by the clock that all processes share
     * @param {(second: Second) => void} onSecond
     */
    run(length, onSecond) {
      control = { stopped: false };
      return besideCompany(job, { ...work, connections, control }, length, (company) =>
        runOnce(job, { ...work, connections, control, onSecond, beside: company }, length),
      );
    },

    /**
     * Whether each connection gives every one of several commands its own reply. If the workload's replies
     * are all alike, as for SET, nothing else reveals a proxy that repeats or exchanges replies.
     */
    afterRun: () => connections.askAll(),

    /** Ends the run under way at the next iteration of each task. */
    stop() {
      control.stopped = true;
    },

    /**
     * Removes what this cell stored, and closes its connections.
     *
     * @param {() => void} [onProgress]
     */
    async finish(onProgress) {
      const everything = allOf([stored, ...work.company.map((step) => step.items)]);
      await connections.use((connection) => removeKeys(connection, everything, job.removal, onProgress));
      await connections.close();
    },
  };
}

/**
 * What the process does in each iteration, and with which keys.
 *
 * @param {Job} job
 * @param {WorkloadPlugin} workload
 * @param {number} [batchSize] iterations that go out together
 */
function createWork(job, workload, batchSize) {
  const { parameter } = job.workload;
  const { role, part } = roleOf(job.part, workload.processes?.(parameter) ?? 1);
  const items = createItems({ ...job, part });
  const ownItems = new Map(job.ownSizes.map((own) => [own.valueSize, createOwnItems(job, own)]));
  const itemsOf = (/** @type {number} */ size) => /** @type {Items} */ (ownItems.get(size)).all();
  const iterations = workload.cycle(parameter, { role, keys: job.keys, processes: part.count, itemsOf });
  return {
    items,
    stored: allOf([items, ...ownItems.values()]),
    steps: [...new Set(iterations.flat())],
    cycle: createCycle(iterations),
    takeAnswers: createAnswers(iterations),
    company: companySteps(job),
    meter: createBatchMeter(),
    appWork: job.appWorkUs > 0 ? createAppWork(job.appWorkUs) : null,
    batchSize,
    /** Whether the latency of each command is recorded: not in a batch, which has one. */
    toldApart: batchSize === undefined && iterations.flat().some(({ label }) => label !== undefined),
    // Only in a batch are all commands of an operation under way at once.
    commandsAtOnce: batchSize === undefined ? 1 : Math.max(...iterations.map(({ length }) => length)),
  };
}

/** @typedef {ReturnType<typeof createWork>} Work */

/**
 * @param {Connection} connection
 * @param {Job} job
 * @param {WorkloadPlugin} workload
 * @param {Work} work
 * @returns {Promise<string[]>} what cannot be checked
 */
async function prepareData(connection, job, workload, { items, stored, steps, company }) {
  const storing = workload.prepare?.(job.workload.parameter) ?? [];
  await storeData(connection, stored, storing);
  for (const step of company) await step.prepare(connection);
  const remarks = await learnReplies(connection, items, steps);
  // SET would take the time to live away again, and that is work for the server.
  if (job.expireAfterMs !== null && storing.length > 0 && steps.every(onlyReads)) {
    await expireKeys(connection, stored, job.expireAfterMs);
  }
  return remarks;
}

/** @param {Step} step */
const onlyReads = ({ command }) => command === 'get' || command === 'exists';

/** @typedef {Awaited<ReturnType<typeof createConnections>>} Connections */

/**
 * Has the cell's company come and go beside a run: it stops when the measured operations end, and all of its
 * commands are answered before the server's counters are read.
 *
 * @template {Measured} Run
 * @param {Job} job
 * @param {Work & {connections: Connections, control: {stopped: boolean}}} work
 * @param {RunLength} length
 * @param {(company: {begin: () => void, stop: () => void}) => Promise<Run>} run calls `begin` when its time starts, and `stop` when it ends
 * @returns {Promise<Run & {company: CompanyCounts[]}>}
 */
async function besideCompany(job, { company, connections, control }, { alone = false }, run) {
  const tally = createTally(control);
  /** @type {ReturnType<typeof startCompany> | null} */
  let started = null;
  const measured = await run({
    begin() {
      if (alone || company.length === 0) return;
      const { tasks, part, latency } = job;
      started = startCompany(company, {
        lease: connections.lease,
        tasks,
        part,
        latency,
        onError: tally.error,
      });
    },
    stop: () => started?.stop(),
  });
  const counts = (await /** @type {ReturnType<typeof startCompany> | null} */ (started)?.ended()) ?? [];
  const [wrong] = counts.filter(({ wrongReplies }) => wrongReplies > 0);
  return {
    ...measured,
    company: counts,
    wrongReplies: counts.reduce((sum, { wrongReplies }) => sum + wrongReplies, measured.wrongReplies),
    firstWrongReply: measured.firstWrongReply ?? wrong?.firstWrongReply ?? null,
    errors: { ...measured.errors, ...tally.counts().errors },
  };
}

/**
 * @param {Job} job
 * @param {Work & {connections: Connections, control: {stopped: boolean},
 *   onSecond: (second: Second) => void, beside: {begin: () => void, stop: () => void}}} work
 * @param {RunLength & {startAtMs?: number}} length
 */
async function runOnce(job, work, { iterations, durationMs = 0, ratePerSecond, startAtMs }) {
  const { connections, cycle, meter, takeAnswers, commandsAtOnce, appWork } = work;
  meter.take();
  takeAnswers();
  const startedAtMs = await startTogether(startAtMs);
  const openedBefore = connections.opened();
  const cycleBefore = cycle.position();
  const probes = startProbes(appWork?.take);
  const turnClock = createTurnClock(probes.atTurn, probes.atTurnEnd);
  const clock = appWork === null ? turnClock : createExactClock(turnClock);
  const allTogether = job.latency ? createRecorder(clock) : createNoRecorder(clock);
  const apart = work.toldApart && job.latency ? createCommandRecorder(allTogether, work.steps) : null;
  const recorder = apart ?? allTogether;
  const common = { ...work, lease: connections.lease, tasks: job.tasks, recorder };
  work.beside.begin();
  const measured = await (job.load === null
    ? measure({
        ...common,
        iterations,
        recorder: appWork === null ? recorder : followedByWork(recorder, appWork),
      })
    : measureOpenLoop({
        ...common,
        seed: job.seed,
        part: job.part,
        durationMs,
        load: { ...job.load, ratePerSecond: ratePerSecond ?? job.load.ratePerSecond },
        mostOperations: Math.floor(job.load.maxInFlight / commandsAtOnce),
        clock,
        latency: job.latency,
      }));
  work.beside.stop();
  const operations = measured.taskIterations.reduce((sum, done) => sum + done, 0);
  return {
    openLoop: null,
    ...measured,
    startedAtMs,
    calls: cycle.commandsIn(cycleBefore, operations),
    answers: takeAnswers(),
    client: await probes.stop(),
    connectionsOpened: connections.opened() - openedBefore,
    latencyHdr: recorder.encode(),
    commandHdrs: apart?.encodeEach() ?? {},
    batches: meter.take(),
  };
}
