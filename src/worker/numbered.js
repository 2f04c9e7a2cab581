/**
 * The operations of a run in which something breaks: each is an APPEND of its own number to the key of its task, so
 * that the server's data tells at the end which were done, and how often.
 *
 * @param {object} job
 * @param {string} job.keyPrefix
 * @param {number} job.keySize
 * @param {number} job.valueSize of an entry, at least
 * @param {boolean} job.oneSlot
 * @param {number} job.tasks
 * @param {{index: number}} job.part
 */
export function createNumbered({ keyPrefix, keySize, valueSize, oneSlot, tasks, part }) {
  const keys = Array.from({ length: tasks }, (_, task) =>
    `${keyPrefix}${oneSlot ? '{s}' : ''}p${part.index}t${task}:`.padEnd(keySize, '-'),
  );
  const entrySize = Math.max(SHORTEST_ENTRY, valueSize);
  return {
    /** Of the tasks, in order. */
    keys,
    entrySize,

    /** @param {number} number @returns {[string, ...string[]]} its command */
    commandOf: (number) => [
      'APPEND',
      keys[number % tasks],
      `${String(number).padStart(DIGITS, '0')},`.padEnd(entrySize, '.'),
    ],

    /** @param {unknown} reply @returns {boolean} whether it may be the length of one of these keys */
    accept: (reply) => Number(reply) >= entrySize && Number(reply) % entrySize === 0,
  };
}

/** More operations than any run has. */
const DIGITS = 8;
const SHORTEST_ENTRY = DIGITS + 1;
