/** @import { Part, Schedule } from '../worker/types.js' */
/** @import { RecordedPace } from '../plugins/types.js' */
/** @import { Recorded } from './recorded-commands.js' */

/**
 * Which command each operation takes, and when. Starts over at the end; of three processes, each takes every third.
 * @param {{recorded: Recorded, atMs: number}[]} all sorted by time @param {Part} part
 */
export function createRecordedOrder(all, { index, count }) {
  let commands = all.map(({ recorded }) => recorded);
  let times = Float64Array.from(all, ({ atMs }) => atMs);
  let position = 0;
  let [taken] = commands;
  const place = (/** @type {number} */ taken) => taken * count + index;

  /** @param {number} taken @returns {number} its time in an endless recording */
  function timeOf(taken) {
    const at = place(taken);
    return Math.floor(at / times.length) * periodOf(times) + times[at % times.length];
  }

  return {
    /** @returns {Recorded} */
    next() {
      taken = commands[place(position++) % commands.length];
      return taken;
    },

    taken: () => taken,

    /** @param {RecordedPace} pace @returns {Schedule} */
    schedule({ ratePerSecond, speed = (ratePerSecond * periodOf(times)) / (1000 * times.length) }) {
      const from = position;
      const startMs = timeOf(from);
      const at = (/** @type {number} */ operation) => (timeOf(from + operation) - startMs) / speed;
      return { at, due: (ms) => firstNotBefore(at, ms) };
    },

    /** Removes commands that fail, with their transactions. @param {Set<Recorded>} failing @returns transactions removed */
    leaveOut(failing) {
      if (failing.size === 0) return 0;
      const before = transactionsIn(commands);
      const kept = commands.flatMap((command, place) => (hasOne(failing, command) ? [] : place));
      times = Float64Array.from(kept, (place) => times[place]);
      commands = kept.map((place) => commands[place]);
      if (commands.length === 0) throw new Error('the reply to every command of the profile was an error');
      return before - transactionsIn(commands);
    },
  };
}

/** @param {Set<Recorded>} failing @param {Recorded} command */
const hasOne = (failing, command) => failing.has(command) || command.parts?.some((part) => failing.has(part));

/** @param {Recorded[]} commands */
const transactionsIn = (commands) => commands.filter(({ parts }) => parts !== null).length;

/** Of one pass, with an average gap after its last command. @param {Float64Array} times @returns {number} milliseconds */
function periodOf(times) {
  const span = times[times.length - 1] - times[0];
  return span + Math.max(1e-3, span / Math.max(1, times.length - 1));
}

/** @param {(operation: number) => number} at never falling @param {number} ms @returns {number} the first operation not before */
function firstNotBefore(at, ms) {
  let high = 1;
  while (at(high) < ms) high *= 2;
  let low = 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (at(middle) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
