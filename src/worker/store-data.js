import { openBatch } from '../plugins/shared/command-batch.js';

/** @import { Batch, Connection, Item, Items, Step } from '../plugins/types.js' */

/** Large enough that a round trip does not count, small enough to be held in memory many times over. */
const MOST_ITEMS = 200;
const MOST_BYTES = 4e6;

/**
 * Sends the commands that prepare each item, such as SET and then GET to see whether it can be read
 * back, in batches.
 *
 * @param {Connection} connection
 * @param {Items} items
 * @param {Step[]} steps
 * @throws {Error} with the first error reply, or where a reply is not what it must be
 */
export async function storeData(connection, items, steps) {
  for (const part of parts(items.all())) {
    for (const step of steps) {
      const replies = await inBatch(connection, part, (batch, item) => step.send(batch, item));
      for (const [index, reply] of replies.entries()) {
        if (reply instanceof Error) throw reply;
        if (step.accept(reply, part[index])) continue;
        const { key, value } = part[index];
        throw new Error(
          `${step.command.toUpperCase()} of a key of ${key.length} and a value of ${value.length} characters, ` +
            `before the run, replied something else than it must`,
        );
      }
    }
  }
}

/**
 * @param {Connection} connection
 * @param {Items} items
 * @throws {Error} when one of them could not be removed
 */
export async function removeKeys(connection, items) {
  const keys = items.keys();
  for (let start = 0; start < keys.length; start += MOST_ITEMS) {
    const part = keys.slice(start, start + MOST_ITEMS);
    const replies = await inBatch(connection, part, (batch, key) => batch.del(key));
    // Some clients resolve also where the connection is lost, with an error in place of each reply.
    const failed = replies.find((reply) => reply instanceof Error);
    if (failed) throw failed;
  }
}

/**
 * @template Each
 * @param {Connection} connection
 * @param {Each[]} all
 * @param {(batch: Batch, each: Each) => unknown} add
 */
function inBatch(connection, all, add) {
  const batch = openBatch(connection);
  for (const each of all) add(batch, each);
  return batch.exec();
}

/**
 * @param {Item[]} items
 * @returns {Generator<Item[]>} the same, in parts that make one batch each
 */
function* parts(items) {
  let start = 0;
  let bytes = 0;
  for (const [index, { key, value }] of items.entries()) {
    const size = key.length + value.length;
    if (index > start && (index - start === MOST_ITEMS || bytes + size > MOST_BYTES)) {
      yield items.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  yield items.slice(start);
}
