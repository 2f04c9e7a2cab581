import fc from 'fast-check';

/** What somebody may put in the place of anything, and what breaks careless readers. */
export const poison = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    '__proto__',
    '\u001b[2J',
    '<script>',
    [],
    {},
    [[]],
    'x'.repeat(300),
  ),
  fc.constantFrom({ toString: 1, valueOf: 1 }, { length: -1 }, { constructor: { name: 1 } }),
  fc.jsonValue({ maxDepth: 2 }),
);

/**
 * Puts something else in one place of JSON, whose path is chosen by numbers.
 *
 * @param {any} value
 * @param {number[]} path
 * @param {unknown} other
 * @returns {any}
 */
export function withOther(value, [first, ...rest], other) {
  if (first === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const key = keys[first % keys.length];
  const changed = withOther(value[key], rest, other);
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? changed : each));
  return { ...value, [key]: changed };
}
