import { elementsOf, sizeOf } from './sized-commands.js';

/** @import { Item } from '../types.js' */

/** Characters and elements that a worker can keep in memory. */
const MOST_KEPT = 256e6;

/**
 * Learned replies must come again for the same key. Without any, all must have the type of the first, or be nil.
 * @param {{zeroIsEmpty?: boolean, usesUp?: boolean}} [how] `zeroIsEmpty`: whether a learned 0 is as empty as nil; `usesUp`:
 *   whether replies that say that there was nothing left count as those that found nothing
 */
export function createExpected({ zeroIsEmpty = false, usesUp = false } = {}) {
  /** @type {unknown[]} by the index of the item */
  const learned = [];
  /** @type {Map<unknown, unknown>} one string for all equal replies */
  const known = new Map();
  let areOrdered = true;
  let kept = 0;
  let filled = false;
  let learnsEmpty = false;
  let foundNothing = 0;
  /** @type {string | null} */
  let type = null;

  /** @param {unknown} reply */
  function hasSameType(reply) {
    if (usesUp ? isNothing(reply) : isEmpty(reply)) foundNothing++;
    if (reply === null) return true;
    filled ||= !isEmpty(reply);
    type ??= typeOf(reply);
    return type !== 'error' && type !== 'undefined' && typeOf(reply) === type;
  }

  /** @param {unknown} reply */
  const isEmptyLearned = (reply) => isEmpty(reply) || (zeroIsEmpty && reply === 0);

  return {
    /** Whether any reply had something in it. */
    isFilled: () => filled,

    usesUp,

    /** Replies since the last call that say that nothing was there. */
    takeNothing() {
      const taken = foundNothing;
      foundNothing = 0;
      return taken;
    },

    /** @param {unknown} reply @param {Item} item @param {boolean} ordered */
    learn(reply, { index, value }, ordered) {
      if (isEmptyLearned(reply)) learnsEmpty = true;
      else filled = true;
      areOrdered = ordered;
      learned[index] = reply === value ? value : known.get(reply);
      if (learned[index] !== undefined) return;
      kept += sizeOf(reply);
      if (kept > MOST_KEPT) {
        throw new Error('the replies to the command are too long to be kept and compared: use fewer --keys');
      }
      if (typeof reply === 'string') known.set(reply, reply);
      learned[index] = reply;
    },

    /** @param {unknown} reply @param {Item} item */
    accept(reply, { index }) {
      if (learned.length === 0) return hasSameType(reply);
      const right = learned[index];
      if (learnsEmpty && isEmptyLearned(right)) foundNothing++;
      return reply === right || isSame(reply, right) || (!areOrdered && inOrder(reply) === inOrder(right));
    },
  };
}

/** @param {any} reply @returns {boolean} */
const isEmpty = (reply) =>
  reply === null ||
  reply === '' ||
  (typeof reply === 'object' && (reply.length ?? reply.size ?? fieldsIn(reply)) === 0);

/** @param {object} reply @returns {number} 0 or 1: whether it has any, without a list of them */
function fieldsIn(reply) {
  for (const _ in reply) return 1;
  return 0;
}

/** Whether a command found nothing to take away; some clients make a boolean of 0. @param {unknown} reply @returns {boolean} */
const isNothing = (reply) =>
  reply === 0 || reply === false || isEmpty(reply) || (Array.isArray(reply) && reply.every(isNothing));

/** @param {unknown} reply */
function typeOf(reply) {
  if (reply instanceof Error) return 'error';
  return Array.isArray(reply) || reply instanceof Set ? 'array' : typeof reply;
}

/** @param {unknown} a @param {unknown} b @returns {boolean} */
function isSame(a, b) {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (Buffer.isBuffer(a)) return Buffer.isBuffer(b) && a.equals(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isRecord(a) && isRecord(b)) return hasSameFields(a, b);
  const [left, right] = [elementsOf(a), elementsOf(b)];
  return left.length === right.length && left.every((each, index) => isSame(each, right[index]));
}

/** @param {object} reply @returns {reply is Record<string, unknown>} as node-redis returns a hash */
const isRecord = (reply) => !(Symbol.iterator in reply);

/** Comparing lists of entries would take twice as long. @param {Record<string, unknown>} a @param {typeof a} b */
function hasSameFields(a, b) {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}

/** @param {unknown} reply @returns {string} the same for any order of its elements */
function inOrder(reply) {
  if (Buffer.isBuffer(reply)) return `bytes ${JSON.stringify(reply.toString('latin1'))}`;
  if (typeof reply !== 'object' || reply === null) return JSON.stringify(reply) ?? String(reply);
  return elementsOf(reply).map(inOrder).sort().join();
}
