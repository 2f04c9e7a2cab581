/** @import { Connection, MessageTools } from '../types.js' */

/** So long a receiver waits on the server for the next message. */
export const BLOCK_SECONDS = 1;

/** @param {unknown} message `12:the value` @returns {number} its number; NaN where it is none of ours */
export const idOfMessage = (message) => Number.parseInt(String(message), 10);

/**
 * A receiver on a connection of its own that asks as long as messages are under way, and is silent otherwise: so the
 * server's count of its commands says what belongs to a run.
 *
 * @param {MessageTools} tools
 * @param {(connection: Connection) => Promise<void>} receive takes what is there, or waits a moment
 */
export async function createBlockingReceiver({ connect, ledger }, receive) {
  const connection = await connect();
  /** @type {Promise<void> | null} */
  let working = null;
  let closed = false;

  async function work() {
    while (ledger.underWay() > 0 && !closed) await receive(connection);
  }
  return {
    expect() {
      working ??= work().finally(() => {
        working = null;
      });
      working.catch(() => {});
    },
    settled: async () => void (await working),
    async close() {
      closed = true;
      await connection.close();
    },
  };
}
