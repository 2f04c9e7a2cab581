/** @import { Connection, MessageTools } from '../types.js' */

/** So long a receiver waits on the server for the next message. */
export const BLOCK_SECONDS = 1;

/** What the title of a workload says whose receivers are a process of their own. */
export const BETWEEN_PROCESSES = ' between two processes';

/** @param {unknown} message `12:the value` @returns {number} its number; NaN where it is none of ours */
export const idOfMessage = (message) => Number.parseInt(String(message), 10);

/**
 * A receiver on a connection of its own that asks as long as messages are in flight, and is silent otherwise: so the
 * server's count of its commands says what belongs to a run.
 * @param {MessageTools} tools
 * @param {(connection: Connection) => Promise<void>} receive takes what is there, or waits a moment
 */
export async function createBlockingReceiver({ connect, ledger }, receive) {
  const connection = await connect();
  let working = Promise.resolve();
  let isWorking = false;
  let closed = false;

  async function work() {
    isWorking = true;
    while (ledger.underWay() > 0 && !closed) {
      try {
        await receive(connection);
      } catch (error) {
        if (!closed) await ledger.fail(error);
      }
    }
    // In the same turn as the last look: whatever is sent from now on begins anew.
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

/**
 * @param {any} reply to XREADGROUP: a list of streams, or with RESP3 a map, an object or pairs of them, as the client has it
 * @returns {[id: string, message: string][]} of the one stream that was asked for
 */
export function entriesOf(reply) {
  if (reply === null) return [];
  const streams = Array.isArray(reply) ? reply : reply instanceof Map ? [...reply] : Object.entries(reply);
  if (isPair(streams[0])) {
    return streams[0].value.map((/** @type {Pair} */ { key, value: [[, message]] }) => [key, message]);
  }
  // Some clients give the pairs of a map as a flat list.
  return entriesIn(Array.isArray(streams[0]) ? streams[0][1] : streams[1]);
}

/** @param {any} entries of one stream @returns {[id: string, message: string][]} */
export const entriesIn = (entries) => entries.map((/** @type {any} */ [id, fields]) => [id, fields[1]]);

/** @typedef {{key: string, value: any}} Pair as valkey-glide has those of a map */

/** @param {any} stream @returns {stream is Pair} */
const isPair = (stream) => typeof stream === 'object' && !Array.isArray(stream) && 'key' in stream;
