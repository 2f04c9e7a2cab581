import { openBatch } from '../plugins/shared/connections.js';

/**
 * @import { Connection, Item, Step } from '../plugins/types.js'
 * @import { Loop } from './loops.js'
 * @typedef {Pick<Loop, 'items' | 'cycle' | 'tally'>} Operations
 * @typedef {{onDone: (did?: Step[]) => void, onError: (error: unknown) => void}} Outcome `did`: the commands, where there
 *   may be several; after an error nothing more is sent
 */

/**
 * Sends one operation on a connection, each command after the reply to the one before, and checks each reply. Two things
 * keep this hot path cheap, measured with a client that does nothing else (130 ns per operation):
 *
 * - The handlers are made once and passed to `then`. An `await` makes two closures each time and saves every local
 *   variable: 10 to 15 ns more, and more than that in a longer function.
 * - A workload of one command, which most are, has neither a list of steps nor a position in it: 5 ns.
 *
 * @param {Operations} operations @param {Outcome} outcome
 * @returns {(connection: Connection) => void} starts the next operation, when the last has ended
 */
export function createOperation({ items, cycle, tally }, outcome) {
  return cycle.only === null
    ? createManySteps({ items, cycle, tally }, outcome)
    : createOneStep({ items, step: cycle.only, tally }, outcome);
}

/** @param {Omit<Operations, 'cycle'> & {step: Step}} operations @param {Outcome} outcome @returns {(connection: Connection) => void} */
function createOneStep({ items, step, tally }, { onDone, onError }) {
  /** @type {Item} */
  let item;

  function onReply(/** @type {unknown} */ reply) {
    if (!step.accept(reply, item)) tally.wrong(step, reply, item);
    onDone();
  }

  return (connection) => {
    item = items.next();
    try {
      /** @type {Promise<unknown>} */ (step.send(connection, item)).then(onReply, onError);
    } catch (error) {
      onError(error);
    }
  };
}

/** @param {Operations} operations @param {Outcome} outcome @returns {(connection: Connection) => void} */
function createManySteps({ items, cycle, tally }, { onDone, onError }) {
  /** @type {Connection} */
  let connection;
  /** @type {Item} */
  let item;
  /** @type {Step[]} */
  let steps = [];
  let position = 0;

  function sendStep() {
    try {
      /** @type {Promise<unknown>} */ (steps[position].send(connection, item)).then(onReply, onError);
    } catch (error) {
      onError(error);
    }
  }

  function onReply(/** @type {unknown} */ reply) {
    const step = steps[position];
    if (!step.accept(reply, item)) tally.wrong(step, reply, item);
    position++;
    if (position < steps.length) sendStep();
    else onDone(steps);
  }

  return (lent) => {
    connection = lent;
    item = items.next();
    steps = cycle.next();
    position = 0;
    sendStep();
  };
}

/** On a borrowed connection. @param {Operations} operations @returns {(connection: Connection) => Promise<Step[]>} */
export const createBorrowedOperation =
  ({ items, cycle, tally }) =>
  async (connection) => {
    const item = items.next();
    const steps = cycle.next();
    for (const step of steps) {
      const reply = await step.send(connection, item);
      if (!step.accept(reply, item)) tally.wrong(step, reply, item);
    }
    return steps;
  };

/**
 * After an error reply to one of several operations the others are still checked.
 * @param {Operations & Pick<Loop, 'meter'>} operations
 * @returns {(connection: Connection, size: number) => Promise<number>} how many were answered; rejects if the batch failed
 */
export function createBatchSender({ items, cycle, tally, meter }) {
  /** @type {Step[]} */
  const sent = [];
  /** @type {Item[]} */
  const sentWith = [];

  return async (connection, size) => {
    const batch = openBatch(connection);
    let commands = 0;
    for (let operation = 0; operation < size; operation++) {
      const item = items.next();
      for (const step of cycle.next()) {
        step.send(batch, item);
        sent[commands] = step;
        sentWith[commands] = item;
        commands++;
      }
    }
    meter.sent(commands);
    const replies = await batch.exec();
    let failed = 0;
    for (let index = 0; index < commands; index++) {
      const reply = replies[index];
      if (reply instanceof Error) {
        tally.error(reply);
        failed++;
      } else if (!sent[index].accept(reply, sentWith[index]))
        tally.wrong(sent[index], reply, sentWith[index]);
    }
    return Math.max(0, size - failed);
  };
}
