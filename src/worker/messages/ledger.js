import { sharedClock } from '../../shared-clock.js';

/** @import { Connection, Item, MessageLedger, Step } from '../../plugins/types.js' */
/** @import { Leftovers } from '../types.js' */

/** On one machine, a message that takes longer than this is lost. */
const LOST_AFTER_MS = 5000;
const LOOK_EVERY_MS = 1000;

/**
 * @typedef {{atMs: number, lateMs: number, missing: number, has: boolean[], resolve: () => void,
 *   reject: (error: unknown) => void}} Sent `lateMs` later than intended; `missing`: receivers that do not have it yet
 */

/**
 * Knows of each message whether it has arrived once, not at all, or more than once.
 * @param {number} receivers that each message must reach
 * @param {{lostAfterMs?: number, lookEveryMs?: number, onArrived?: (tookMs: number, lateMs: number) => void}} [options]
 * @returns {MessageLedger & {takeLeftovers(): Leftovers, close(): void}}
 */
export function createLedger(
  receivers,
  { lostAfterMs = LOST_AFTER_MS, lookEveryMs = LOOK_EVERY_MS, onArrived = () => {} } = {},
) {
  /** @type {Map<number, Sent>} */
  const inFlight = new Map();
  let next = 0;
  let wrong = 0;
  /** @type {string | null} */
  let first = null;
  /** @type {{error: unknown} | null} */
  let broken = null;

  /** @param {string} text */
  function complain(text) {
    wrong++;
    first ??= text;
  }

  const look = setInterval(() => {
    const before = sharedClock() - lostAfterMs;
    for (const [id, { atMs, missing, reject }] of inFlight) {
      if (atMs > before) break;
      inFlight.delete(id);
      const where = receivers === 1 ? '' : ` in ${missing} of ${receivers} subscribers`;
      reject(new Error(`a message was lost: it had not arrived${where} after ${lostAfterMs / 1000} s`));
    }
  }, lookEveryMs);
  look.unref();

  return {
    underWay: () => inFlight.size,

    send(lateMs = 0) {
      const id = next++;
      const arrived = new Promise((/** @type {(none: void) => void} */ resolve, reject) => {
        if (broken !== null) reject(broken.error);
        else inFlight.set(id, { atMs: sharedClock(), lateMs, missing: receivers, has: [], resolve, reject });
      });
      // Its producer may fail before anybody waits for this.
      arrived.catch(() => {});
      return { id, arrived };
    },

    arrive(id, receiver, atMs = sharedClock()) {
      const sent = inFlight.get(id);
      if (sent === undefined || sent.has[receiver]) {
        const known = Number.isInteger(id) && id >= 0 && id < next;
        complain(known ? `message ${id} arrived twice` : 'a message arrived that was never sent');
        return;
      }
      sent.has[receiver] = true;
      sent.missing--;
      if (sent.missing > 0) return;
      inFlight.delete(id);
      onArrived(atMs - sent.atMs, sent.lateMs);
      sent.resolve();
    },

    fail(error) {
      broken ??= { error };
      for (const { reject } of inFlight.values()) reject(error);
      inFlight.clear();
    },

    takeLeftovers() {
      const leftovers = { wrongReplies: wrong, firstWrongReply: first };
      wrong = 0;
      first = null;
      return leftovers;
    },

    close: () => clearInterval(look),
  };
}

/**
 * An operation ends when its message has arrived everywhere, and the command that sent it is answered.
 * @param {Step[]} steps are changed
 * @param {{key: string, ledger: MessageLedger, lateMs?: () => number, onSent?: (connection: Connection) => void}} way
 */
export function sendThrough(steps, { key, ledger, lateMs = () => 0, onSent = () => {} }) {
  for (const step of steps) {
    const { send } = step;
    step.send = async (connection, /** @type {Item} */ item) => {
      const { id, arrived } = ledger.send(lateMs());
      const reply = send(connection, { ...item, key, value: `${id}:${item.value}` });
      onSent(/** @type {Connection} */ (connection));
      const answer = await reply;
      await arrived;
      return answer;
    };
  }
}
