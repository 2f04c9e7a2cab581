import { createConnections } from './cell-connections.js';
import { describeOptions, loadParts } from './cell-parts.js';
import { createWork } from './cell-work.js';
import { allOf } from './items.js';
import { onlyReceives } from './role.js';
import { expireKeys, missingKeys, removeKeys, storeAnew, storeByCode, storeData } from './store-data.js';
import { timedRun } from './timed-run.js';

/** @import { Connection, Step, WorkloadPlugin } from '../plugins/types.js' */
/** @import { RunWarning } from '../results/types.js' */
/** @import { Work } from './cell-work.js' */
/** @import { MessageContext } from './messages/messages.js' */
/** @import { Job, RunControl, RunLength, Second } from './types.js' */

/**
 * One cell, ready to run: its client loaded, its connections open, its data stored and read back.
 *
 * The connections are opened once and serve all runs, and no other client is ever made in this
 * process: code that has seen one client only is compiled for that one. Measured, node-redis takes
 * 6 to 10 % more CPU on a shared connection once the process has made a second client.
 *
 * @param {Job} given
 */
export async function createCell(given) {
  let job = onlyReceives(given) ? { ...given, tasks: 1 } : given;
  const parts = await loadParts(job);
  const work = await createWork(job, parts, parts.pipelining.batchSize?.(job.pipelining.parameter));
  const connections = await createConnections(job, parts, work.meter);
  const held = connections.opened();
  const messages = await messagesOf({
    job,
    workload: parts.workload,
    steps: work.steps,
    connect: connections.connectBeside,
    use: connections.use,
  });
  const facts = await connections.use(async (connection) => {
    await connections.checkAll(job.runIds);
    const remarks = await prepareData(connection, job, parts.workload, work);
    return { connections: held, effectiveOptions: describeOptions(connection.effectiveOptions), remarks };
  });
  const { items, stored, steps } = work;
  /** @type {RunControl} */
  let control = { stopped: false };

  return {
    facts,

    /**
     * Goes on with another number of tasks.
     * @param {number} tasks
     * @returns {Promise<number | null>} the connections that are held open; null where it takes another process
     */
    async serve(tasks) {
      if (onlyReceives(job)) return connections.held();
      if (connections.lease.serve === undefined) return null;
      await connections.lease.serve(tasks);
      await connections.checkAll(job.runIds);
      job = { ...job, tasks };
      return connections.held();
    },

    /**
     * Where a run's data must not be there yet, the first process removes it, and all begin with their first key
     * again, so that those of different roles meet at the same keys. A workload that brings its own items says itself
     * what it needs. Elsewhere keys go on where the last run ended: short runs would never get beyond the first ones.
     */
    async beforeRun() {
      if (work.own !== null) {
        if (work.own.reset && job.part.index === 0) await connections.use(work.own.reset);
        return;
      }
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
      return timedRun(job, { ...work, messages, connections, control, onSecond }, length);
    },

    /**
     * Whether each connection gives every one of several commands its own reply. If the workload's replies
     * are all alike, as for SET, nothing else reveals a proxy that repeats or exchanges replies.
     */
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

    /** Removes what this cell stored, and closes its connections. @param {() => void} [onProgress] */
    async finish(onProgress) {
      await messages?.close();
      const through = { all: () => [], keys: () => messages?.keys ?? [] };
      const everything = allOf([stored, through, ...work.background.map((step) => step.items)]);
      await connections.use((connection) => removeKeys(connection, everything, job.removal, onProgress));
      await connections.close();
    },
  };
}

/** Loaded where it is needed: every start of a cell would wait for it. @param {MessageContext} context */
async function messagesOf(context) {
  if (context.workload.receive === undefined) return null;
  const { createMessages } = await import('./messages/messages.js');
  return createMessages(context);
}

/**
 * @param {Connection} connection @param {Job} job @param {WorkloadPlugin} workload @param {Work} work
 * @returns {Promise<RunWarning[]>} what cannot be checked
 */
export async function prepareData(connection, job, workload, { items, stored, steps, background, own }) {
  const storing = workload.prepare?.(job.workload.parameter) ?? [];
  const sent = steps.flatMap((step) => step.parts ?? step);
  const hasOwn = [...storing, ...sent].some(({ learning }) => learning);
  // Loaded where it is needed, with the list of all commands.
  const ownCommands = hasOwn ? await import('./learn-replies.js') : null;
  await ownCommands?.checkUnknown(connection, [...storing, ...sent]);
  const ofUser = storing.filter(({ learning }) => learning);
  for (const step of ofUser) await storeAnew(connection, stored, step, job.removal);
  if (ofUser.length === 0) await storeData(connection, stored, storing, job.target.readFrom === 'replica');
  for (const step of steps) await storeByCode(connection, items, step);
  for (const { prepare } of background) await prepare?.(connection);
  const remarks = [
    ...((await ownCommands?.learnReplies(connection, items, steps)) ?? []),
    ...((await own?.store(connection)) ?? []),
  ];
  // SET would take the time to live away again, and that is work for the server.
  if (storing.length > 0 && sent.every(onlyReads)) await expireKeys(connection, stored);
  return remarks;
}

/** @param {Step} step @returns {boolean} whether it changes no data */
export const onlyReads = ({ command }) => command === 'get' || command === 'exists' || command === 'scan';
