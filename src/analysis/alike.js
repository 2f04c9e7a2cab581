/**
 * @template T @param {T[]} all @param {(each: T) => unknown} keyOf
 * @returns {T[][]} those of each key together, in the order in which they come
 */
export function alike(all, keyOf) {
  /** @type {Map<unknown, T[]>} */
  const groups = new Map();
  for (const each of all) {
    const own = groups.get(keyOf(each));
    if (own) own.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return [...groups.values()];
}

/** @template T @param {T[]} all @returns {[T, T][]} of two the one that comes first, against the other */
export const everyPair = (all) =>
  all.flatMap((later, b) => all.slice(0, b).map((each) => /** @type {[T, T]} */ ([each, later])));
