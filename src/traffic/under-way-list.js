/** Emptied places at the beginning are dropped when there are so many, and more of them than of the others. */
const DROP_FROM = 1024;

/**
 * What waits, the first that came first. An array's own shift() moves all others.
 *
 * @template Item
 */
export function createUnderWay() {
  /** @type {(Item | undefined)[]} */
  let items = [];
  let next = 0;
  return {
    count: () => items.length - next,
    first: () => items[next],

    /** @param {Item} item */
    add(item) {
      items.push(item);
    },

    /** @returns {Item | undefined} */
    shift() {
      const item = items[next];
      if (item === undefined) return undefined;
      items[next++] = undefined;
      if (next === items.length) {
        items.length = 0;
        next = 0;
      } else if (next >= DROP_FROM && next > items.length / 2) {
        items = items.slice(next);
        next = 0;
      }
      return item;
    },
  };
}
