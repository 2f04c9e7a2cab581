import { createConnections } from './cell-connections.js';
import { describeOptions, loadParts } from './cell-parts.js';
import { createWork } from './cell-work.js';
import { allOf } from './items.js';
import { onlyReceives } from './role.js';
import {
  expireKeys,
  missingKeys,
  onlyReads,
  removeKeys,
  storeAnew,
  storeByCode,
  storeData,
} from './store-data.js';
import { timedRun } from './timed-run.js';

/** @import { Connection, WorkloadPlugin } from '../plugins/types.js' */
/** @import { Work } from './cell-work.js' */
/** @import { MessageContext } from './messages/messages.js' */
/** @import { FaultProgress, Job, RunControl, RunLength, Second } from './types.js' */

/**
 * Its connections serve all runs, and this process never makes another client: V8 compiles code that has seen one client
 * for that one. A second one costs node-redis 6 to 10 % more CPU on a shared connection (measured). @param {Job} given
 */
export async function createCell(given) {
  const parts = await loadParts(given);
  const { workload } = parts;
  const faults = given.isFollowed ? await import('./fault-cell.js') : null;
  const job = faults?.jobFor(given, workload) ?? (onlyReceives(given) ? { ...given, tasks: 1 } : given);
  const work = await createWork(job, parts, parts.pipelining.batchSize?.(job.pipelining.parameter));
  const connections = await createConnections(job, parts, work.meter, { recovers: job.isFollowed });
  const { items, stored, steps } = work;
  const { use, connectSeparately: connect } = connections;
  const held = connections.opened();
  /** @type {RunControl} */
  let control = { stopped: false };
  const followed = await faults?.followOperations(job, { ...work, workload, connections, control });
  const messages = await messagesOf({ job, workload, steps, connect, use });
  const facts = await use(async (connection) => {
    if (followed) await connection.ping();
    else await connections.checkAll(job.runIds);
    const remarks = await prepareData(connection, job, workload, {
      ...work,
      stored: followed?.stored ?? stored,
    });
    const effectiveOptions = describeOptions(connection.effectiveOptions);
    return { connections: held, effectiveOptions, remarks, ...followed?.facts() };
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
     * @param {(news: {second: Second} | {progress: FaultProgress}) => void} onNews
     * @returns {ReturnType<typeof timedRun>} where operations are followed, a FaultEnd for a FaultRunLength
     */
    run(length, onNews) {
      if (followed) {
        const ending = followed.run(/** @type {any} */ (length), (progress) => onNews({ progress }));
        return /** @type {Promise<any>} */ (ending);
      }
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
      if (followed) return followed.finish(onProgress);
      await messages?.close();
      const through = { all: () => [], keys: () => messages?.keys ?? [] };
      const everything = allOf([stored, through]);
      await use((connection) => removeKeys(connection, everything, job.removal, onProgress));
      await connections.close();
    },
  };
}

/** @param {MessageContext} context */
async function messagesOf(context) {
  if (context.workload.receive === undefined) return null;
  const { createMessages } = await import('./messages/messages.js');
  return createMessages(context);
}

/** @param {Connection} connection @param {Job} job @param {WorkloadPlugin} workload @param {Work} work */
async function prepareData(connection, job, workload, { items, stored, steps, own }) {
  const storing = workload.prepare?.(job.workload.parameter, job.isFollowed) ?? [];
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
  return remarks;
}
