import { setTimeout as sleep } from 'node:timers/promises';
import { batches } from '../collections.js';
import { openBatch } from '../plugins/shared/connections.js';
import { commandOf } from '../plugins/shared/steps.js';
import { assertParent } from '../process/answer-requests.js';

/** @import { Batch, Command, Connection, Item, Items, Step } from '../plugins/types.js' */

/** A replica that is behind for longer is no use. */
const REPLICATED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 5;

/**
 * Sends the commands that prepare each item, such as SET and then GET to see whether it can be read back, in batches.
 * @param {Connection} connection @param {Pick<Items, 'all'>} items @param {Step[]} steps
 * @param {boolean} lag whether replicas are read @throws {Error} with the first error reply, or about a wrong reply
 */
export async function storeData(connection, items, steps, lag) {
  const deadline = performance.now() + (lag ? REPLICATED_WITHIN_MS : 0);
  for (const step of steps) {
    for (;;) {
      /** @type {Item[]} */
      const wrong = [];
      await sendForEach(connection, items, step, (reply, item) => {
        if (!step.accept(reply, item)) wrong.push(item);
      });
      if (wrong.length === 0) break;
      const [{ key, value }] = wrong;
      if (performance.now() >= deadline)
        throw new Error(
          `${step.command.toUpperCase()} of a key of ${key.length} and a value of ${value.length} characters, ` +
            `before the run, got a wrong reply`,
        );
      await sleep(LOOK_EVERY_MS);
    }
  }
}

/**
 * Removes and stores each item in one transaction: cells share their keys, some processes store at the same time, and
 * another RPUSH would make a longer list.
 * @param {Connection} connection @param {Pick<Items, 'all'>} items @param {Step} step @param {string[]} removal
 */
export async function storeAnew(connection, items, step, [name, ...rest]) {
  /** @param {Item} item */
  async function store(item) {
    /** @type {Command[]} */
    const commands = [[name, item.key, ...rest], commandOf(step, item)];
    // Some proxies and users have no MULTI.
    const replies = await connection.transaction(commands).catch(() => null);
    if (replies === null) return inBatches(connection, [commands], (batch, args) => batch.command(args));
    const failed = replies.find((reply) => reply instanceof Error);
    if (failed) throw failed;
  }
  for (const part of batches(items.all())) {
    assertParent();
    await Promise.all(part.map(store));
  }
}

/** @param {Connection} connection @param {Pick<Items, 'all'>} items @param {Step} step */
export async function storeByCode(connection, items, { store }) {
  if (store === undefined) return;
  for (const part of batches(items.all())) {
    assertParent();
    await Promise.all(part.map((item) => store(connection, item)));
  }
}

/**
 * @param {Connection} connection @param {Pick<Items, 'all'>} items @param {Step} step
 * @param {(reply: unknown, item: Item) => void} onReply @throws {Error} with the first error reply
 */
export async function sendForEach(connection, items, step, onReply) {
  const all = batches(items.all(), ({ key, value }) => key.length + value.length);
  const send = (/** @type {Batch} */ batch, /** @type {Item} */ item) => step.send(batch, item);
  await inBatches(connection, all, send, (replies, part) => {
    assertParent();
    for (const [index, reply] of replies.entries()) onReply(reply, part[index]);
  });
}

/** @param {Connection} connection @param {Pick<Items, 'keys'>} items @param {string[]} removal @param {() => void} [onProgress] */
export const removeKeys = (connection, items, [name, ...rest], onProgress) =>
  inBatches(
    connection,
    batches(items.keys()),
    (batch, key) => batch.command([name, key, ...rest]),
    onProgress,
  );

const DAY_MS = 24 * 3600 * 1000;

/**
 * Has the server remove the keys if nobody else does. A managed server gets the same: a GET of a key that may expire takes
 * a little longer, which keeps the server awake for the next command.
 * @param {Connection} connection @param {Pick<Items, 'all'>} items
 */
export const expireKeys = (connection, items) =>
  // NX: --prepare may have set a time of its own. Where it is refused (by ACL, or before Redis 7), the keys are still
  // removed at the end.
  inBatches(connection, batches(items.all()), (batch, { key }) =>
    batch.command(['PEXPIRE', key, `${DAY_MS}`, 'NX']),
  ).catch(() => {});

/** @param {Connection} connection @param {Pick<Items, 'all'>} items @returns {Promise<number>} */
export async function missingKeys(connection, items) {
  let missing = 0;
  const ask = (/** @type {Batch} */ batch, /** @type {Item} */ { key }) => batch.exists(key);
  await inBatches(connection, batches(items.all()), ask, (replies) => {
    missing += replies.filter((reply) => Number(reply) === 0).length;
  });
  return missing;
}

/**
 * @template Each @param {Connection} connection @param {Iterable<Each[]>} all @param {(batch: Batch, each: Each) => unknown} add
 * @param {(replies: unknown[], part: Each[]) => void} [onReplies] of each batch
 */
async function inBatches(connection, all, add, onReplies = () => {}) {
  for (const part of all) {
    const batch = openBatch(connection);
    for (const each of part) add(batch, each);
    const replies = await batch.exec();
    // Some clients also resolve when the connection is lost, with an error in place of each reply.
    const failed = replies.find((reply) => reply instanceof Error);
    if (failed) throw failed;
    onReplies(replies, part);
  }
}

/** @param {Step} step */
export const onlyReads = ({ command }) => command === 'get' || command === 'exists' || command === 'scan';
