/** @typedef {[string, ...string[]]} Command */

/**
 * @param {Command[]} commands
 * @returns {Command[]} with MULTI before and EXEC after them, as they stand on the wire
 */
export const asTransaction = (commands) => [['MULTI'], ...commands, ['EXEC']];

/**
 * Reads the replies to a transaction that was sent command by command.
 *
 * @param {unknown[]} replies to MULTI, to each command, and to EXEC
 * @returns {unknown[] | Error} what EXEC gave for the commands, or what went wrong
 */
export function transactionReply(replies) {
  const failed = replies.find((reply) => reply instanceof Error);
  if (failed !== undefined) return /** @type {Error} */ (failed);
  const unqueued = replies.slice(1, -1).find((reply) => reply !== 'QUEUED');
  if (unqueued !== undefined) return new Error(`expected QUEUED in a transaction, got ${String(unqueued)}`);
  const all = replies.at(-1);
  return Array.isArray(all) ? all : new Error(`expected the replies of a transaction, got ${String(all)}`);
}

/**
 * The transactions in a batch, in which each has one place, and not one for each of its commands.
 */
export class BatchTransactions {
  /** @type {{at: number, length: number}[]} */
  #spans = [];

  /**
   * @param {{command(args: Command): unknown}} batch
   * @param {Command[]} commands
   * @param {number} before commands in the batch so far, each of a transaction counted
   */
  add(batch, commands, before) {
    const all = asTransaction(commands);
    for (const command of all) batch.command(command);
    this.#spans.push({ at: before, length: all.length });
  }

  /** @param {Promise<unknown[]>} all replies, to each command @returns {Promise<unknown[]>} one for each transaction */
  async fold(all) {
    const replies = await all;
    /** @type {unknown[]} */
    const folded = [];
    let next = 0;
    for (const { at, length } of this.#spans) {
      folded.push(...replies.slice(next, at), transactionReply(replies.slice(at, at + length)));
      next = at + length;
    }
    folded.push(...replies.slice(next));
    return folded;
  }
}
