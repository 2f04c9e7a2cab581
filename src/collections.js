/** Groups by key, in order of appearance. @template T @param {T[]} all @param {(each: T) => unknown} keyOf @returns {T[][]} */
export function groupBy(all, keyOf) {
  /** @type {Map<unknown, T[]>} */
  const groups = new Map();
  for (const each of all) {
    const own = groups.get(keyOf(each));
    if (own) own.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return [...groups.values()];
}

/** Each one paired with every later one. @template T @param {T[]} all @returns {[T, T][]} */
export const pairsOf = (all) =>
  all.flatMap((later, b) => all.slice(0, b).map((each) => /** @type {[T, T]} */ ([each, later])));

/** Large enough to make round trips negligible, small enough for several copies in memory. */
const MOST_ITEMS = 200;
const MOST_BYTES = 4e6;

/** @template Each @param {Each[]} all @param {(each: Each) => number} [sizeOf] in bytes @returns {Generator<Each[]>} */
export function* parts(all, sizeOf = () => 0) {
  let start = 0;
  let bytes = 0;
  for (const [index, each] of all.entries()) {
    const size = sizeOf(each);
    if (index > start && (index - start === MOST_ITEMS || bytes + size > MOST_BYTES)) {
      yield all.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (start < all.length) yield all.slice(start);
}
