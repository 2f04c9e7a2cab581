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

/** All but surrogates. fc's own `unit: 'binary'` takes a second of CPU to be made. */
const character = fc
  .nat({ max: 0x10f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** @param {{minLength?: number, maxLength?: number}} [lengths] */
export const anyText = (lengths = {}) => fc.string({ ...lengths, unit: character });

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

/**
 * Cuts a piece out of a text, or puts other bytes in its place.
 *
 * @param {string} whole
 * @param {(text: string) => Promise<unknown>} check rejects for what must not happen
 * @param {{numRuns: number}} tries
 */
export const assertOfDamaged = (whole, check, tries) =>
  fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), anyText({ maxLength: 3 }), async (from, to, bytes) => {
      const [start, end] = [from % whole.length, to % whole.length].sort((a, b) => a - b);
      await check(whole.slice(0, start) + bytes + whole.slice(end));
    }),
    tries,
  );
