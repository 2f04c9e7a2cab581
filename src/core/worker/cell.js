import pLimit from 'p-limit';
import { messageOf } from '../errors.js';
import { completeConnection } from '../plugins/shared/connections.js';
import { describeOptions, loadParts } from './cell-parts.js';
import { createCoding } from './coding.js';
import { borrowOf, createConnector } from './connector.js';
import { allOf, createItems, createOwnItems } from './items.js';
import {
  expireKeys,
  missingKeys,
  onlyReads,
  removeKeys,
  storeAnew,
  storeByCode,
  storeData,
} from './store-data.js';
import { createBatchMeter, excerpt } from './tally.js';
import { timedRun } from './timed-run.js';

/** @import { Connection, WorkloadPlugin, BatchMeter, Manners, Cycle, Items, OpenedWorkload, Step, WayPlugin } from '../plugins/types.js' */
/** @import { MessageContext, Messages } from '../../messages/worker.js' */
/** @import { CellFacts } from '../../benchmark/run/types.js' */
/** @import { Job, Leftovers, Part, RunControl, RunLength, Second } from './types.js' */
/** @import { Parts } from './cell-parts.js' */
/** @import { Coding } from './coding.js' */

/**
 * Its connections serve all runs, and this process never makes another client: V8 compiles code that has seen one client
 * for that one. A second one costs node-redis 6 to 10 % more CPU on a shared connection (measured).
 * @param {Job} job @param {(context: MessageContext) => Promise<Messages>} [openMessages] where its operations are messages
 */
export async function open(job, openMessages) {
  const parts = await loadParts(job);
  const { workload } = parts;
  const work = await createWork(job, parts, parts.pipelining.batchSize?.(job.pipelining.parameter));
  const connections = await createConnections(job, parts, work.meter);
  const { items, stored, steps } = work;
  const { use, connectSeparately: connect } = connections;
  const held = connections.opened();
  /** @type {RunControl} */
  let control = { stopped: false };
  const messages = (await openMessages?.({ job, workload, steps, connect, use })) ?? null;
  const facts = await use(async (connection) => {
    await connections.checkAll(job.runIds);
    return { connections: held, ...(await prepareData(connection, job, workload, work)) };
  });

  return {
    facts,

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
      await use((connection) => removeKeys(connection, stored, job.removal));
    },

    missingKeys: () => use((connection) => missingKeys(connection, stored)),

    /**
     * @param {RunLength & {startAtMs?: number}} length without `iterations` a closed loop goes on until it is stopped
     * @param {(news: {second: Second}) => void} onNews
     */
    run(length, onNews) {
      control = { stopped: false };
      const onSecond = (/** @type {Second} */ second) => onNews({ second });
      return timedRun(job, { ...work, messages, connections, control, onSecond }, length);
    },

    /** Where replies are all alike, as to SET, only this reveals a proxy that repeats or swaps them. */
    async afterRun() {
      const asked = await connections.askAll();
      const left = messages?.takeLeftovers();
      return {
        wrongReplies: asked.wrongReplies + (left?.wrongReplies ?? 0),
        firstWrongReply: left?.firstWrongReply ?? asked.firstWrongReply,
      };
    },

    stop() {
      control.stopped = true;
      control.onStop?.();
    },

    /** @param {() => void} [onProgress] */
    async finish(onProgress) {
      await messages?.close();
      const through = { all: () => [], keys: () => messages?.keys ?? [] };
      const everything = allOf([stored, through]);
      await use((connection) => removeKeys(connection, everything, job.removal, onProgress));
      await connections.close();
    },
  };
}

/**
 * @param {Connection} connection @param {Job} job @param {WorkloadPlugin} workload
 * @param {Pick<Work, 'items' | 'stored' | 'steps' | 'own'>} work @returns {Promise<Pick<CellFacts, 'effectiveOptions' | 'remarks'>>}
 */
export async function prepareData(connection, job, workload, { items, stored, steps, own }) {
  const storing = workload.prepare?.(job.workload.parameter, job.command === 'break') ?? [];
  const sent = steps.flatMap((step) => step.parts ?? step);
  const hasOwn = [...storing, ...sent].some(({ learning }) => learning);
  // It loads the list of all commands, for which no other cell should wait.
  const ownCommands = hasOwn ? await import('./learn-replies.js') : null;
  await ownCommands?.checkCommands(connection, [...storing, ...sent], job.scripts);
  const ofUser = storing.filter(({ learning }) => learning);
  for (const step of ofUser) await storeAnew(connection, stored, step, job.removal);
  if (ofUser.length === 0) await storeData(connection, stored, storing, job.target.readFrom === 'replica');
  for (const step of steps) await storeByCode(connection, items, step);
  const remarks = [
    ...((await ownCommands?.learnReplies(connection, items, steps)) ?? []),
    ...((await own?.store(connection)) ?? []),
  ];
  // A SET in the run would remove the time to live again, which is extra work for the server.
  if (storing.length > 0 && sent.every(onlyReads)) await expireKeys(connection, stored);
  return { effectiveOptions: describeOptions(connection.effectiveOptions), remarks };
}

const CHECKING_AT_ONCE = 32;

/** @param {Job} job @param {Parts} parts @param {BatchMeter} meter @param {Manners} [manners] */
export async function createConnections(job, parts, meter, manners) {
  const { target } = job;
  const { client, scenario, pipelining, options, library } = parts;
  const measured = { ...manners, buffers: job.replies === 'buffer' };
  const connector = createConnector({
    connect: () => client.connect(target, options, library, measured),
    wrap: (connected) => {
      const connection = completeConnection(connected, client.id);
      return pipelining.wrap ? pipelining.wrap(connection, job.pipelining.parameter, meter) : connection;
    },
    connectPool: (pool) =>
      /** @type {Required<typeof client>} */ (client).connectPool(target, options, library, pool, measured),
  });
  /** @type {WeakSet<Connection>} */
  const checked = new WeakSet();
  const lease = await scenario.open({ ...connector, tasks: job.tasks, options: job.scenarioOptions });

  return {
    lease,
    opened: connector.opened,
    /** One that no task uses, as the client gives it. */
    connectSeparately: () => client.connect(target, options, library, manners),
    answeredByCaches: connector.answeredByCaches,

    /** @template T @param {(connection: Connection) => Promise<T>} use @returns {PromiseLike<T>} */
    use: (use) => borrowOf(lease, 0)(use),

    /** @param {string[] | null} runIds @throws {Error} when one reaches another server */
    async checkAll(runIds) {
      const unchecked = connector.open().filter((connection) => !checked.has(connection));
      await pLimit(CHECKING_AT_ONCE).map(unchecked, (connection) =>
        connector.checkServer(connection, runIds),
      );
      for (const connection of unchecked) checked.add(connection);
    },

    /** @returns {Promise<Leftovers>} replies that belong to another command */
    async askAll() {
      const wrong = (await Promise.all(connector.open().map(wrongEchoes))).flat();
      return { wrongReplies: wrong.length, firstWrongReply: wrong[0] ?? null };
    },

    async close() {
      await lease.close();
      connector.destroyAll();
    },
  };
}

/** As many as the tasks of a typical benchmark have in flight. */
const ECHOES = 16;

/** @param {Connection} connection @returns {Promise<string[]>} what is reported of replies to another command */
async function wrongEchoes(connection) {
  const asked = Array.from({ length: ECHOES }, (_, index) => `echo ${index}`);
  const replies = await Promise.allSettled(asked.map((text) => connection.command(['ECHO', text])));
  if (replies.every(({ status }) => status === 'rejected')) return broken(connection);
  return replies.flatMap((reply, index) =>
    reply.status === 'rejected' || String(reply.value) === asked[index]
      ? []
      : [`ECHO after the run replied ${excerpt(reply.value)}`],
  );
}

/** A client may end a connection that gives a reply too many, perhaps after the run. @param {Connection} connection */
const broken = (connection) =>
  connection.ping().then(
    () => [],
    (error) => [`a connection was broken at the end of the run: ${messageOf(error)}`],
  );

/** @param {Job} given @param {Pick<Parts, 'workload' | 'way'>} parts @param {number} [batchSize] */
export async function createWork(given, { workload, way }, batchSize) {
  const job = { ...given, keyPrefix: encodedPrefix(given) };
  const coding = await createCoding(job);
  const {
    own,
    items,
    more,
    iterations,
    cycle = createCycle(iterations),
  } = workload.open
    ? await ownWork(job, workload.open)
    : usualWork(job, workload, { way, itemOf: coding.itemOf });
  const steps = [...new Set(iterations.flat())];
  const made = { all: () => [], keys: () => steps.flatMap((step) => step.keys?.() ?? []) };
  return {
    own,
    items,
    coding,
    stored: allOf([items, ...more, made]),
    steps,
    cycle,
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

/** @typedef {{own: OpenedWorkload | null, items: Items, more: Items[], iterations: Step[][], cycle?: Cycle}} Source */

/** @param {Job} job @param {NonNullable<WorkloadPlugin['open']>} open @returns {Promise<Source>} */
async function ownWork({ keyPrefix, part, removal, oneSlot, target, workload }, open) {
  const isCluster = target.topology === 'cluster';
  const slots = oneSlot ? 'one' : isCluster ? 'spread' : 'none';
  const own = await open(workload.parameter, { keyPrefix, slots, part, removal });
  const { items, steps, cycle } = own;
  return { own, items, more: [], iterations: cycle ? steps.map((step) => [step]) : [steps], cycle };
}

/**
 * @param {Job} job @param {WorkloadPlugin} workload @returns {Source}
 * @param {{way: WayPlugin | undefined, itemOf: Coding['itemOf']}} with_
 */
function usualWork(job, { processes, cycle }, { way, itemOf }) {
  const { parameter } = job.workload;
  const { role, part } = roleOf(job.part, processes?.(parameter) ?? 1);
  const ownItems = new Map(job.ownSizes.map((own) => [own.valueSize, createOwnItems(job, own, itemOf)]));
  const itemsOf = (/** @type {number} */ size) => /** @type {Items} */ (ownItems.get(size)).all();
  const { keys, keyPrefix } = job;
  const items = createItems({ ...job, part }, itemOf);
  const own = { keyPrefix, isFollowed: job.command === 'break', anyCommand: job.scripts !== undefined };
  const context = { role, keys, processes: part.count, itemsOf, ...own };
  const isSpread = job.target.topology === 'cluster' && !job.oneSlot;
  const iterations = cycle?.(parameter, { ...context, way, items: items.all, isSpread }) ?? [];
  return { own: null, items, more: [...ownItems.values()], iterations };
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

/** Most workloads do the same in every iteration; a mix does not. @param {Step[][]} iterations */
export function createCycle(iterations) {
  const { length } = iterations;
  const [first] = iterations;
  let position = 0;
  return {
    /** The step that is all of every iteration; null where there are more. */
    only: length === 1 && first.length === 1 ? first[0] : null,

    next: length === 1 ? () => first : () => iterations[position++ % length],

    /** Those of an iteration, whichever is next. @param {number} number */
    at: (number) => iterations[number % length],

    /** Iterations begun so far, where they are not all the same. */
    position: () => position,

    /** @param {number} from the position at the start @param {number} count @returns {Record<string, number>} commands by name */
    commandsIn(from, count) {
      /** @type {Record<string, number>} */
      const calls = {};
      for (let index = 0; index < length; index++) {
        const times = Math.floor(count / length) + (index < count % length ? 1 : 0);
        for (const { command, takeCalls } of iterations[(from + index) % length]) {
          if (takeCalls === undefined) calls[command] = (calls[command] ?? 0) + times;
        }
      }
      return calls;
    },
  };
}
