import { issueThrough } from '../plugins/shared/issue-through.js';

/** @import { Commands, Item, Items, Step } from '../plugins/types.js' */
/** @import { StaleReads } from './types.js' */

/** A mark that no value has, followed by the number of the write. */
const MARK = '#';
const DIGITS = 6;

/**
 * @typedef {{base: string, head: string, tail: string, sent: number, open: number[], floor: number}} Written of a key, which
 *   only this process writes. `base`: the value that was stored before the first run, as write 0; `head` and `tail` enclose
 *   the number of a write; `sent`: the last; `open`: those in flight, in order; `floor`: all before were overwritten by one
 *   that is acknowledged
 */

/**
 * @typedef {{read?: Written | null, floor?: number, write?: {to: Written, number: number, oldestOpen: number} | null}}
 *   Traces what an operation leaves in its item; `floor`: of the key, when the read was sent
 */

/**
 * Finds out which write each reply is of: every value that is written has a number. A reply is stale where its value was
 * overwritten, and that acknowledged, before the read was sent. A stale reply is counted for a replica and wrong for a
 * primary; a value that was never written is wrong for both. Two writes of a key that are in flight at once may be done in
 * either order, so that neither is older. @param {boolean} fromReplicas
 */
export function createVersions(fromReplicas) {
  /** @type {Map<string, Written>} */
  const keys = new Map();
  /** @type {Map<Step, Step>} */
  const followed = new Map();
  let counts = { reads: 0, stale: 0, behind: 0 };

  /** @param {number} [behind] writes @returns {boolean} whether that is to be expected */
  function countStale(behind = 0) {
    if (!fromReplicas) return false;
    counts.stale++;
    counts.behind = Math.max(counts.behind, behind);
    return true;
  }

  /** @param {Step} step @param {unknown} reply @param {Item & Traces} item */
  function acceptRead(step, reply, item) {
    counts.reads++;
    const of = /** @type {Written} */ (item.read);
    // Every key was stored before the first run.
    if (reply === null) return countStale(of.floor);
    const number = numberIn(reply, of);
    if (number === null) return step.accept(reply, item);
    const floor = Number(item.floor);
    if (number > of.sent || !step.accept(of.base, item)) return false;
    return number >= floor || countStale(floor - number);
  }

  /** @param {Step} step @param {unknown} reply @param {Item & Traces} item */
  function accept(step, reply, item) {
    if (step.command === 'get') return acceptRead(step, reply, item);
    const isRight = step.accept(reply, item);
    if (step.command === 'exists') {
      counts.reads++;
      return isRight || (reply === 0 && countStale());
    }
    if (isRight && item.write) acknowledge(item.write);
    return isRight;
  }

  /** Numbers writes, and notes what is known when a read is sent. @param {Step} step @returns {Step} */
  function follow(step) {
    /** @type {Commands} */
    let commands;
    /** @type {Item & Traces} */
    let item;
    const through = {
      ...issueThrough(/** @type {any} */ ({}), (send) => /** @type {any} */ (send(commands))),
      get(/** @type {string} */ key) {
        const of = /** @type {Written} */ (keys.get(key));
        item.read = of;
        item.floor = of.floor;
        return commands.get(key);
      },
      set(/** @type {string} */ key) {
        const to = /** @type {Written} */ (keys.get(key));
        const number = ++to.sent;
        to.open.push(number);
        item.write = { to, number, oldestOpen: to.open[0] };
        const digits = number.toString(36).padStart(DIGITS, '0');
        return commands.set(key, `${to.head}${MARK}${digits}${to.tail}`);
      },
    };
    return {
      ...step,
      send(to, given) {
        commands = to;
        item = given;
        return step.send(through, given);
      },
      accept: (reply, given) => accept(step, reply, given),
      wrongText: (reply, given, shown) => olderText(reply, given) ?? step.wrongText?.(reply, given, shown),
    };
  }

  return {
    /** @param {Items} items @returns {Items} the same, in which each operation has an item of its own */
    itemsOf(items) {
      for (const { key, value } of items.all()) keys.set(key, startOf(value));
      return { ...items, next: () => ({ ...items.next() }) };
    },

    /** @param {Step} step @returns {Step} always the same for the same */
    follow(step) {
      const known = followed.get(step) ?? follow(step);
      followed.set(step, known);
      return known;
    },

    /** @returns {StaleReads} since the last call */
    take() {
      const taken = counts;
      counts = { reads: 0, stale: 0, behind: 0 };
      return taken;
    },
  };
}

/** @typedef {ReturnType<typeof createVersions>} Versions */

/** @param {string} base @returns {Written} */
function startOf(base) {
  const tail = /["}]*$/.exec(base)?.[0] ?? '';
  const head = base.slice(0, base.length - tail.length - DIGITS - MARK.length);
  return { base, head, tail, sent: 0, open: [], floor: 0 };
}

/** @param {unknown} reply @param {Written} of @returns {number | null} null where it is none of its values */
function numberIn(reply, { base, head, tail }) {
  if (reply === base) return 0;
  if (typeof reply !== 'string' || reply.length !== base.length) return null;
  if (!reply.startsWith(head) || !reply.endsWith(tail) || reply[head.length] !== MARK) return null;
  const digits = reply.slice(head.length + 1, head.length + 1 + DIGITS);
  return /^[0-9a-z]+$/.test(digits) ? Number.parseInt(digits, 36) : null;
}

/** @param {NonNullable<Traces['write']>} write */
function acknowledge({ to, number, oldestOpen }) {
  to.open.splice(to.open.indexOf(number), 1);
  // Those that were still in flight when it was sent may have been done after it.
  to.floor = Math.max(to.floor, oldestOpen);
}

/** @param {unknown} reply @param {Item & Traces} item @returns {string | undefined} */
function olderText(reply, { read, floor = 0 }) {
  const number = read ? numberIn(reply, read) : null;
  if (number === null || number >= floor) return undefined;
  return `GET replied the value of write ${number}, though write ${floor} was acknowledged before`;
}
