/** Groups by key, in order of appearance. @template T @param {T[]} all @param {(each: T) => unknown} keyOf @returns {T[][]} */
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

/** Each one paired with every later one. @template T @param {T[]} all @returns {[T, T][]} */
export const everyPair = (all) =>
  all.flatMap((later, b) => all.slice(0, b).map((each) => /** @type {[T, T]} */ ([each, later])));
