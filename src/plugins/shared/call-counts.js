export function createCallCounts() {
  /** @type {Record<string, number>} */
  let calls = {};
  return {
    /** @param {string} name @param {number} [times] */
    count(name, times = 1) {
      calls[name] = (calls[name] ?? 0) + times;
    },

    /** @returns {Record<string, number>} since the last call */
    take() {
      const taken = calls;
      calls = {};
      return taken;
    },
  };
}
