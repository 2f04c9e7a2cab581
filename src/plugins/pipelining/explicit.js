export default {
  id: 'explicit',
  title: 'explicit',
  summary: "a task sends N operations through the client's own pipeline and waits for all their replies",
  syntax: 'explicit:10',
  requires: ['pipeline'],

  /** @param {string | undefined} argument @returns {number} operations in a batch */
  parse(argument) {
    const size = /^\d{1,6}$/.test(argument ?? '') ? Number(argument) : 0;
    if (size < 1) {
      throw new Error(
        `expected the operations of a batch, from 1 to 999999, as in explicit:10; got '${argument ?? ''}'`,
      );
    }
    return size;
  },

  /** @param {number} size */
  batchSize: (size) => size,
};
