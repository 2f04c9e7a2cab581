import { freshText } from '../../../fresh-text.js';
import { ONE_SLOT } from '../../../server/one-slot.js';

/** @import { Step, WorkloadSource } from '../../../plugins/types.js' */

/** More operations than any run has. */
const DIGITS = 8;
const SHORTEST_ENTRY = DIGITS + 1;

/** @type {Step} */
const append = {
  command: 'append',
  send: (commands, { key, value }) => commands.command(['APPEND', key, value]),
  // The length of a key that holds such entries.
  accept: (reply, { value }) => Number(reply) >= value.length && Number(reply) % value.length === 0,
};

/** @satisfies {WorkloadSource} */
export default {
  summary: 'each operation appends its own number: the default of break, and for nothing else',
  titleOf: () => 'APPEND of numbers',
  startsEmpty: () => true,
  cycle: () => [[append]],

  account: {
    proves: 'repeats',

    number({ keyPrefix, keySize, valueSize, oneSlot, tasks, part }) {
      const keys = Array.from({ length: tasks }, (_, task) =>
        `${keyPrefix}${oneSlot ? ONE_SLOT : ''}p${part.index}t${task}:`.padEnd(keySize, '-'),
      );
      const entrySize = Math.max(SHORTEST_ENTRY, valueSize);
      return {
        evidence: { keys, entrySize },
        itemOf: (number) => ({
          index: number,
          key: keys[number % tasks],
          hash: '',
          value: freshText(`${String(number).padStart(DIGITS, '0')},`.padEnd(entrySize, '.')),
        }),
      };
    },

    async count({ keys, entrySize }, ask) {
      const data = [];
      for (const key of keys) data.push(String((await ask('GET', key)) ?? ''));
      return countEntries(data, entrySize);
    },
  },
};

/** @param {string[]} data of the keys @param {number} entrySize @returns how often each number is there; NaN for damage */
export function countEntries(data, entrySize) {
  /** @type {Map<number, number>} */
  const times = new Map();
  for (const text of data) {
    for (let start = 0; start < text.length; start += entrySize) {
      const found = /^(\d+),\.*$/.exec(text.slice(start, start + entrySize))?.[1];
      const number = found === undefined ? Number.NaN : Number(found);
      times.set(number, (times.get(number) ?? 0) + 1);
    }
  }
  return times;
}
