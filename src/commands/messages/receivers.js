/** @import { Connection, ReceiverTools } from '../../plugins/types.js' */

/** How long a receiver blocks on the server. */
export const BLOCK_SECONDS = 1;

/** Part of a title. @param {boolean} apart whether receivers are a process of their own */
export const between = (apart) => (apart ? ' between two processes' : '');

/** What workloads with one consumer share. @param {string} id @param {string} title */
export const withConsumer = (id, title) => ({
  /** @param {string} [argument] @returns {boolean} whether the consumer is a process of its own */
  parse(argument) {
    if (argument === undefined || argument === 'apart') return argument === 'apart';
    throw new Error(
      `expected ${id}, or ${id}:apart, whose consumer is a process of its own; got '${argument}'`,
    );
  },
  titleOf: (/** @type {boolean} */ apart) => `${title}${between(apart)}`,
  processes: (/** @type {boolean} */ apart) => (apart ? 2 : 1),
  grows: () => true,
});

/** @param {unknown} message `12:the value` @returns {number} NaN if not ours */
export const idOfMessage = (message) => Number.parseInt(String(message), 10);

/**
 * A receiver that asks only while messages are in flight, so that the server counts its commands only during a run.
 * @param {ReceiverTools} tools
 * @param {(connection: Connection) => Promise<void>} receive takes what is there, or waits a moment
 */
export async function createBlockingReceiver({ connect, ledger }, receive) {
  const connection = await connect();
  let working = Promise.resolve();
  let isWorking = false;
  let closed = false;

  async function work() {
    isWorking = true;
    while (ledger.inFlight() > 0 && !closed) {
      try {
        await receive(connection);
      } catch (error) {
        if (!closed) ledger.fail(error);
      }
    }
    // This is the turn of the last check: a message sent from now on starts the work again.
    isWorking = false;
  }
  return {
    expect() {
      if (!isWorking) working = work();
    },
    settled: () => working,
    async close() {
      closed = true;
      await connection.close();
    },
  };
}

/** @param {any} reply to XREADGROUP: a list, or in RESP3 a map, an object or pairs @returns {[id: string, message: string][]} */
export function entriesOf(reply) {
  if (reply === null) return [];
  const streams = reply instanceof Map ? [...reply] : reply;
  const [first, second] = Array.isArray(streams) ? streams : Object.entries(streams);
  // valkey-glide returns a map as a list of objects, other clients as a flat list.
  if (first.key !== undefined)
    return first.value.map((/** @type {any} */ { key, value: [[, message]] }) => [key, message]);
  const entries = Array.isArray(first) ? first[1] : second;
  return entries.map((/** @type {any} */ [id, fields]) => [id, fields[1]]);
}
