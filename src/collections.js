/**
 * Groups stand in the order of their first members.
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => unknown} keyOf
 * @returns {Item[][]}
 */
export function groupBy(items, keyOf) {
  /** @type {Map<unknown, Item[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Each one paired with every later one. @type {<Item>(items: Item[]) => [Item, Item][]} */
export const pairsOf = (items) =>
  items.flatMap((later, place) => items.slice(0, place).map((earlier) => [earlier, later]));

/** @template {string} Name @param {Record<Name, number>[]} all */
export function addUp(...all) {
  const sums = /** @type {Record<Name, number>} */ ({});
  for (const counts of all) {
    for (const name in counts) sums[name] = (Object.hasOwn(sums, name) ? sums[name] : 0) + counts[name];
  }
  return sums;
}

/**
 * For what the code around it knows to be there.
 * @template Value
 * @param {Value} value
 * @returns {NonNullable<Value>}
 */
export function present(value) {
  if (value === undefined || value === null) throw new TypeError('expected a value');
  return value;
}

/** Large enough to make round trips negligible, small enough for several copies in memory. */
const MOST_ITEMS = 200;
const MOST_BYTES = 4e6;

/**
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} [sizeOf] in bytes
 * @returns {Generator<Item[]>}
 */
export function* batches(items, sizeOf = () => 0) {
  let start = 0;
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const size = sizeOf(item);
    if (index > start && (index - start === MOST_ITEMS || bytes + size > MOST_BYTES)) {
      yield items.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (start < items.length) yield items.slice(start);
}

/** What a map has by construction. @type {<Key, Value>(map: Map<Key, Value>, key: Key) => Value} */
export function mustGet(map, key) {
  const value = map.get(key);
  if (value === undefined) throw new Error(`expected '${key}', which is missing`);
  return value;
}
