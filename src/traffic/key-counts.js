import { MOST_KEYS } from './format.js';

/** Of so many of the most used keys the share is told. */
const TOPS = [1, 10, 100, 1000, 10_000];

/** How often each key is used. */
export function countKeys() {
  const counts = new Uint32Array(MOST_KEYS);
  return {
    /** @param {number} key */
    add(key) {
      counts[key]++;
    },

    figures() {
      const used = counts.filter((count) => count > 0).sort();
      const uses = used.reduce((sum, count) => sum + count, 0);
      let sum = 0;
      let next = 0;
      const top = TOPS.filter((keys) => keys < used.length).map((keys) => {
        for (; next < keys; next++) sum += used[used.length - 1 - next];
        return { keys, share: sum / uses };
      });
      const more = used.findIndex((count) => count > 1);
      return { distinct: used.length, top, once: more === -1 ? used.length : more };
    },
  };
}
