import { mustGet } from '../collections.js';
import { followedByWork } from './busy-work.js';
import { describeOptions, loadParts } from './cell-parts.js';
import { createClientEvents } from './client-events.js';
import { createCoding } from './coding.js';
import { createConnections, leaseFor } from './connections.js';
import { createBatchMeter, createTally } from './failures.js';
import { allOf, createItems, createOwnItems, createSets, takingTurns } from './items.js';
import { measure } from './loops.js';
import { startMeters } from './meters/all-meters.js';
import { runOpenLoop } from './open-loop.js';
import {
  createCommandRecorder,
  createExactClock,
  createTurnClock,
  recorderIf,
  withoutWaiting,
} from './recorder.js';
import { startTogether } from './schedule.js';
import * as store from './store-data.js';

/** @import { Connection, Cycle, WorkloadPlugin, Items, OpenedWorkload, Step, WayPlugin } from '../plugins/types.js' */
/** @import { CellFacts } from '../run/types.js' */
/** @import { Loop } from './loops.js' */
/** @import { ArrivalTimes, Delivery, Job, MeasuredRun, OnStage, OpenDelivery, Part, RunControl, RunLength, Second } from './types.js' */
/** @import { Stage, WorkerCell, Write } from './types.js' */
/** @import { Parts } from './cell-parts.js' */
/** @import { Connections } from './connections.js' */
/** @import { Coding } from './coding.js' */

/**
 * Its connections serve all runs, and this process never makes another client: V8 compiles code that has seen one client
 * for that one. A second one costs node-redis 6 to 10 % more CPU on a shared connection (measured).
 * @param {Job} job
 * @param {OnStage} [onStage] called before each
 * @param {OpenDelivery} [openDelivery] where operations end when what they sent arrives
 * @param {WorkerCell} [before] the cell that this process has served until now
 */
export async function open(job, onStage = () => {}, openDelivery = undefined, before = undefined) {
  const parts = await loadParts(job);
  const { workload } = parts;
  const made = await createWork(job, parts, parts.pipelining.batchSize?.(job.pipelining.parameter));
  const lent = /** @type {Lent | undefined} */ (await before?.lend?.(job));
  const work = { ...made, meter: lent?.meter ?? made.meter };
  const events = createClientEvents();
  onStage('connecting', lent?.connections.takeEmitted ?? events.take);
  const opened = lent?.connections ?? (await createConnections(job, parts, work.meter, {}, events));
  const connections = { ...opened, lease: leaseFor(opened.lease, parts) };
  const { items, stored, steps } = work;
  const { use, connectSeparately: connect } = connections;
  /** @type {RunControl} */
  let control = { stopped: false };
  const delivery = (await openDelivery?.({ job, workload, steps, connect, use })) ?? null;
  /** Operations of the last run; 0 where some failed, which may have been done all the same. */
  let done = 0;
  let hasFailed = false;

  return {
    /** Stores its data. If that fails, or the tool was killed meanwhile, `finish` removes what was stored. */
    prepare: () =>
      use(async (connection) => {
        onStage('sending the first commands');
        await connections.checkAll();
        onStage('storing data');
        return prepareData(connection, job, work);
      }),

    /**
     * Where a workload starts without data, the first process removes it, and all begin with their first key again, so that
     * different roles meet at the same keys. Others go on with the next key: short runs would never get beyond the first ones.
     */
    async beforeRun() {
      if (work.own !== null) {
        if (work.own.reset && job.part.index === 0) await use(work.own.reset);
        return;
      }
      items.restart();
      for (const step of steps) step.restart?.();
      if (job.part.index > 0) return;
      await use((connection) => store.removeKeys(connection, stored, job.removal));
    },

    /** What runs have added is removed, and what was there before the first run is stored again. */
    async makeAnew() {
      // Where they take every so many-th key, they would meet after the last one.
      if (job.part.count > 1) items.restart();
      if (job.part.index > 0 || work.own !== null) return;
      await use(async (connection) => {
        await store.removeKeys(connection, stored, job.removal);
        await storeBefore(connection, job, work);
      });
    },

    missingKeys: () => use((connection) => store.missingKeys(connection, preparedBy(work))),

    /**
     * @param {RunLength & {startAtMs?: number}} length without `iterations` a closed loop goes on until it is stopped
     * @param {(news: {second: Second}) => void} onNews
     */
    async run(length, onNews) {
      control = { stopped: false };
      const onSecond = (/** @type {Second} */ second) => onNews({ second });
      const measured = await timedRun(job, { ...work, delivery, connections, control, onSecond }, length);
      hasFailed = Object.keys(measured.errors).length > 0;
      done = hasFailed ? 0 : operationsIn(measured);
      return measured;
    },

    /** Where replies are all alike, as to SET, only this reveals a proxy that repeats or swaps them. */
    async afterRun() {
      const open = connections.connected();
      const asked = await connections.askAll();
      const left = delivery?.takeLeftovers();
      return {
        wrongReplies: asked.wrongReplies + (left?.wrongReplies ?? 0),
        firstWrongReply: left?.firstWrongReply ?? asked.firstWrongReply,
        // What broke in the run has failed its operations, which say why.
        errors: hasFailed ? {} : asked.errors,
        connections: open,
        emitted: connections.takeEmitted(),
        writes: lastWrites(work, done),
      };
    },

    stop() {
      control.stopped = true;
      control.onStop?.();
    },

    unanswered: () => control.unanswered?.() ?? 0,

    inside: () => ({ items, steps, lease: connections.lease, connections: connections.all() }),

    /** Removes its keys. The next cell may take over its connections. */
    leave: () => use((connection) => store.removeKeys(connection, stored, job.removal)),

    /**
     * Its connections, for a cell that needs the same; otherwise they are closed.
     * @param {Job} next
     * @returns {Promise<Lent | undefined>}
     */
    async lend(next) {
      if (needsOf(next, parts) === needsOf(job, parts)) return { connections: opened, meter: work.meter };
      await connections.close();
      return undefined;
    },

    /** @param {() => void} [onProgress] */
    async finish(onProgress) {
      await delivery?.close();
      const through = { all: () => [], keys: () => delivery?.keys ?? [] };
      const everything = allOf([stored, through]);
      await use((connection) => store.removeKeys(connection, everything, job.removal, onProgress));
      await connections.close();
    },
  };
}

/** @typedef {{connections: Connections, meter: Work['meter']}} Lent */

/** @param {Job} job @param {Parts} parts @returns {string} equal texts for jobs that open the same connections */
const needsOf = ({ target, tasks, replies, scenarioOptions }, { scenario: { connections } }) =>
  JSON.stringify([target, replies, connections?.(tasks, scenarioOptions) ?? tasks]);

/** What is read back of a run: enough to find a client that drops or alters writes, and little beside what it sent. */
const READ_BACK = { keys: 16, characters: 1e6 };

/**
 * Keys, or fields of hashes, and what they hold once a run has ended. In a mix a key may have been read last: it was stored before.
 * @param {Pick<Work, 'items' | 'steps'>} work @param {number} done @returns {Write[] | null} null where that is not known
 */
function lastWrites({ items, steps }, done) {
  const writing = steps.filter(({ stores }) => stores !== undefined);
  if (done === 0 || writing.length === 0) return null;
  const drawn = items.last(Math.min(done, READ_BACK.keys));
  const written = writing.flatMap(({ stores, byHash }) =>
    drawn.flatMap((item) => stores?.(item).map((own) => ({ own, byHash })) ?? []),
  );
  const distinct = new Map(written.map((each) => [each.own.key, each]));
  let left = READ_BACK.characters;
  return [...distinct.values()].slice(0, READ_BACK.keys).flatMap(({ own: { key, hash, value }, byHash }) => {
    left -= value.length;
    return left < 0 ? [] : { key: byHash ? hash : key, field: byHash ? key : null, value: String(value) };
  });
}

/** A command of the user's stores what it says, the tool all that it has. @param {Pick<Work, 'storing' | 'stored'>} work */
const preparedBy = ({ storing, stored }) => {
  const sets = new Set(storing.flatMap((step) => step.items ?? []));
  return sets.size === 0 ? stored : allOf([...sets]);
};

/**
 * @param {Connection} connection @param {Job} job
 * @param {Pick<Work, 'items' | 'stored' | 'steps' | 'own' | 'storing'>} work @returns {Promise<CellFacts>}
 */
export async function prepareData(connection, job, { items, stored, steps, own, storing }) {
  const sent = steps.flatMap((step) => step.parts ?? step);
  const hasOwn = [...storing, ...sent].some(({ learning }) => learning);
  // It loads the list of all commands, for which no other cell should wait.
  const ownCommands = hasOwn ? await import('./learn-replies.js') : null;
  await ownCommands?.checkCommands(connection, [...storing, ...sent], job.mayScript);
  await storeBefore(connection, job, { items, stored, steps, storing });
  const remarks = [
    ...((await ownCommands?.learnReplies(connection, items, steps)) ?? []),
    ...((await own?.store(connection)) ?? []),
  ];
  // A SET in the run would remove the time to live again, which is extra work for the server.
  if (storing.length > 0 && sent.every(store.onlyReads)) await store.expireKeys(connection, stored);
  return { effectiveOptions: describeOptions(connection.effectiveOptions), remarks };
}

/** @param {Connection} connection @param {Job} job @param {Pick<Work, 'items' | 'stored' | 'steps' | 'storing'>} work */
async function storeBefore(connection, job, { items, stored, steps, storing }) {
  const ofUser = storing.filter(({ learning }) => learning);
  for (const step of ofUser) await store.storeAnew(connection, step.items ?? stored, step, job.removal);
  if (ofUser.length === 0)
    await store.storeData(connection, stored, storing, job.target.readFrom === 'replica');
  for (const step of steps) await store.storeByCode(connection, items, step);
}

/** @typedef {Work & {connections: Connections, delivery: Delivery | null, control: RunControl, onSecond: (second: Second) => void}} RunWork */

/**
 * @typedef {RunWork & Pick<Loop, 'tally' | 'turns' | 'recorder'> & {arrivals: ArrivalTimes | undefined,
 *   clock: () => number, begin: () => Promise<void>}} TimedRun `begin` resolves at its start
 */

const NO_OPERATIONS = { position: () => 0, commandsIn: () => ({}) };

/**
 * @param {Job} job @param {RunWork} work @param {RunLength & {startAtMs?: number}} length
 * @returns {Promise<MeasuredRun>}
 */
async function timedRun(job, work, length) {
  const { appWork, connections, control, delivery, perCommand, steps } = work;
  const arrivals = delivery?.elsewhere?.begin();
  const meters = startMeters({ ...work, ...(delivery?.receive && { cycle: NO_OPERATIONS }) });
  const turns = { count: 0 };
  const turnClock = createTurnClock(meters.atTurn, (ms) => {
    turns.count++;
    meters.atTurnEnd?.(ms);
  });
  // An answer out of a cache comes in the turn in which it was asked for.
  const isExact = appWork !== null || connections.mayCache();
  const clock = isExact ? createExactClock(turnClock) : turnClock;
  const isTimed = job.latency && delivery?.elsewhere === undefined && delivery?.receive === undefined;
  const allTogether = recorderIf(isTimed, clock);
  const apart =
    perCommand && job.latency ? createCommandRecorder(withoutWaiting(allTogether, steps), steps) : null;
  const recorder = apart ?? allTogether;
  const tally = createTally(control);
  let startedAtMs = 0;
  async function begin() {
    startedAtMs = await startTogether(length.startAtMs);
    meters.begin();
  }
  async function loop() {
    const run = { ...work, arrivals, tally, turns, clock, recorder, begin };
    if (delivery?.receive) {
      await begin();
      const { lastAtMs } = await delivery.receive();
      return { elapsedMs: Math.max(0, lastAtMs - startedAtMs), taskElapsedMs: [], taskIterations: [] };
    }
    if (job.load !== null) return runOpenLoop(job, job.load, run, length);
    const followed = appWork === null ? recorder : followedByWork(recorder, appWork);
    const { lease } = connections;
    return measure({ ...run, lease, tasks: job.tasks, iterations: length.iterations, recorder: followed });
  }
  const measured = await loop();
  await delivery?.settled();
  const metered = await meters.take(operationsIn(measured));
  const waiting = new Set(steps.flatMap(({ waits, command }) => (waits ? command : [])));
  const waited = [...waiting].reduce((sum, command) => sum + metered.calls[command], 0);
  return {
    openLoop: null,
    ...measured,
    // Which task waited is unknown, and only their sum matters.
    taskIterations: measured.taskIterations.map(
      (done, index, { length }) => done - Math.floor((waited + index) / length),
    ),
    waited,
    ...tally.counts(),
    startedAtMs,
    ...metered,
    latencyHdr: (arrivals?.latencies ?? recorder).encode(),
    commandHdrs: apart?.encodeEach() ?? {},
  };
}

/** @param {{taskIterations: number[]}} measured */
const operationsIn = ({ taskIterations }) => taskIterations.reduce((sum, done) => sum + done, 0);

/** @param {Job} given @param {Pick<Parts, 'workload' | 'way'>} parts @param {number} [batchSize] */
export async function createWork(given, { workload, way }, batchSize) {
  const job = { ...given, keyPrefix: encodedPrefix(given) };
  const coding = await createCoding(job);
  const work = workload.open
    ? await ownWork(job, workload.open)
    : usualWork(job, workload, { way, itemOf: coding.itemOf });
  const { iterations, stored } = work;
  const steps = [...new Set(iterations.flat())];
  const made = { all: () => [], keys: () => steps.flatMap((step) => step.keys?.() ?? []) };
  return {
    ...work,
    coding,
    stored: allOf([...stored, made]),
    steps,
    cycle: work.own?.cycle ?? createCycle(iterations),
    meter: createBatchMeter(),
    appWork: job.appWorkUs > 0 ? (await import('./busy-work.js')).createAppWork(job.appWorkUs) : null,
    batchSize,
    /** Whether the latency of each command is recorded: not in a batch, which has one. */
    perCommand: batchSize === undefined && iterations.flat().some(({ label }) => label !== undefined),
    // Only a batch has all commands of an operation in flight at once.
    commandsAtOnce: batchSize === undefined ? 1 : Math.max(...iterations.map(({ length }) => length)),
  };
}

/** @typedef {Awaited<ReturnType<typeof createWork>>} Work */

/** @typedef {{own: OpenedWorkload | null, items: Items, stored: Items[], storing: Step[], iterations: Step[][]}} Source */

/** @param {Job} job @param {NonNullable<WorkloadPlugin['open']>} open @returns {Promise<Source>} */
async function ownWork({ keyPrefix, part, removal, oneSlot, target, workload }, open) {
  const slots = oneSlot ? 'one' : target.topology === 'cluster' ? 'spread' : 'none';
  const own = await open(workload.parameter, { keyPrefix, slots, part, removal });
  const { items, steps } = own;
  return { own, items, stored: [items], storing: [], iterations: steps.map((step) => [step]) };
}

/**
 * @param {Job} job @param {WorkloadPlugin} workload @param {{way?: WayPlugin, itemOf: Coding['itemOf']}} with_
 * @returns {Source}
 */
function usualWork(job, { processes, cycle, prepare }, { way, itemOf }) {
  const { keys, keyPrefix, ownSizes, target, workload } = job;
  const { role, part } = roleOf(job.part, processes?.(workload.parameter) ?? 1);
  const items = createItems({ ...job, part }, itemOf);
  const sets = createSets(items, { ...job, part }, itemOf);
  const bySize = new Map(ownSizes.map((own) => [own.valueSize, createOwnItems(job, own, itemOf)]));
  const context = {
    role,
    keys,
    keyPrefix,
    way,
    processes: part.count,
    items: items.all,
    itemsOf: (/** @type {number} */ size) => mustGet(bySize, size).all(),
    setOf: sets.setOf,
    isFollowed: job.isFollowed,
    anyCommand: job.mayScript,
    untriedBytes: job.untriedBytes,
    isSpread: target.topology === 'cluster' && !job.oneSlot,
  };
  const iterations = cycle?.(workload.parameter, context) ?? [];
  const storing = prepare?.(workload.parameter, context) ?? [];
  const stored = [...sets.all(), ...bySize.values()];
  return { own: null, items: takingTurns(items, iterations), stored, storing, iterations };
}

/**
 * In a workload whose processes do different things, those with the same role share the keys, so that each role as a whole
 * goes over all keys in the same order.
 * @param {Part} part @param {number} roles @returns {{role: number, part: Part}} `part` among those with the same role
 */
export const roleOf = ({ index, count }, roles) => ({
  role: index % roles,
  part: { index: Math.floor(index / roles), count: count / roles },
});

/** Cells of a group store the same, unless they encode it differently. @param {Job} job */
const encodedPrefix = ({ keyPrefix, encode = 'none' }) =>
  encode === 'none' ? keyPrefix : `${keyPrefix}${encode.at(-1)}`;

/** Most workloads do the same in every iteration; a mix does not. @param {Step[][]} iterations @returns {Cycle} */
export function createCycle(iterations) {
  const { length } = iterations;
  const [first] = iterations;
  let position = 0;
  return {
    only: length === 1 && first.length === 1 ? first[0] : null,

    next: length === 1 ? () => first : () => iterations[position++ % length],

    at: (number) => iterations[number % length],

    position: () => position,

    stepsIn,

    commandsIn(from, count) {
      /** @type {Record<string, number>} */
      const calls = {};
      for (const [{ command, takeCalls }, times] of stepsIn(from, count)) {
        if (takeCalls === undefined) calls[command] = (calls[command] ?? 0) + times;
      }
      return calls;
    },
  };

  /** @param {number} from @param {number} count */
  function stepsIn(from, count) {
    /** @type {Map<Step, number>} */
    const sent = new Map();
    for (let index = 0; index < length; index++) {
      const times = Math.floor(count / length) + (index < count % length ? 1 : 0);
      for (const step of iterations[(from + index) % length]) sent.set(step, (sent.get(step) ?? 0) + times);
    }
    return sent;
  }
}
