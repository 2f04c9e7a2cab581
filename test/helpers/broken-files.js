import { createRandom } from './random.js';

/** What may stand in the place of a number, and passes for one. */
const NUMBERS = [0, -1, 1, 0.5, -0.001, 5e-324, 1e-9, 1e15, 1e308, 2 ** 53 - 1, 2 ** 53, 1 / 3, 65_536];
const FACTORS = [0, 0.001, 0.5, 1.5, 10, 1000, 1e6, 1e12];
const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'default',
    'redis',
    'get',
  ],
  ...[
    '\u001b[2J',
    '\u0000',
    '\ud800',
    '\u202e',
    '<script>',
    '|',
    'a\nb',
    '5.0.0',
    '2026-01-01T00:00:00.000Z',
  ],
  ...['2026-99-99T99:99:99.999Z', 'HISTF', 'x'.repeat(5000), '9'.repeat(400)],
];
/** @type {any[]} */
const OTHERS = [null, true, false, [], {}, [[]], [null], { toString: 1 }, { length: -1 }, { constructor: 1 }];

/** @typedef {{name: string, path: string[], value: any}} Place */

/** @param {any} value @param {string[]} [path] @returns {Place[]} all that is in it */
function placesIn(value, path = []) {
  const own = { name: path.findLast((name) => !/^\d+$/.test(name)) ?? '', path, value };
  if (typeof value !== 'object' || value === null) return [own];
  return [own, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))];
}

/** @param {any} value @param {string[]} path @param {(value: any) => any} change to undefined: drops it @returns {any} */
function changedAt(value, [name, ...rest], change) {
  if (name === undefined) return change(value);
  const changed = changedAt(value[name], rest, change);
  if (Array.isArray(value))
    return changed === undefined ? value.toSpliced(Number(name), 1) : value.with(Number(name), changed);
  const { [name]: _, ...others } = value;
  return changed === undefined ? others : { ...value, [name]: changed };
}

/** A file with other values in these is refused at once. */
const DULL = /^(?:type|at|startedAt|schemaVersion|profileVersion)$/;

/**
 * Breaks files of JSON by the line in one way after the other; with the same seed, in the same ways. Most wounds are such
 * that the file may pass for whole.
 * @param {number} seed @param {readonly unknown[]} donors whole lines, whose values may stand for others of the same name
 */
export function createBreaker(seed, donors) {
  const { uniform } = createRandom(seed);
  const below = (/** @type {number} */ count) => Math.min(count - 1, Math.floor(uniform() * count));
  const one = (/** @type {readonly any[]} */ list) => list[below(list.length)];
  const chance = (/** @type {number} */ share) => uniform() < share;

  /** @param {Place} place @returns {any} what stands there instead */
  function other({ name, value }) {
    if (chance(0.15)) return one([...OTHERS, ...NUMBERS, ...TEXTS]);
    if (chance(0.3)) return one(placesIn(one(donors)).filter((each) => each.name === name))?.value;
    if (typeof value === 'number') return chance(0.4) ? Math.round(value * one(FACTORS)) : one(NUMBERS);
    if (typeof value === 'string') return one(TEXTS);
    if (typeof value === 'boolean') return !value;
    if (Array.isArray(value))
      return chance(0.7) ? value.slice(0, below(value.length + 1)) : [...value, ...value];
    return value === null ? one([0, 1, 'redis', {}]) : null;
  }

  /** @param {any[]} lines @returns {any[]} */
  function brokenLines(lines) {
    const at = chance(0.3) ? 0 : below(lines.length);
    const way = uniform();
    if (way < 0.02) return lines.toSpliced(at, 1);
    if (way < 0.03) return lines.toSpliced(below(lines.length), 0, lines[at]);
    if (way < 0.05) return lines.slice(0, at + 1);
    const all = placesIn(lines[at]).filter(({ name }) => !DULL.test(name) || chance(0.02));
    if (all.length === 0) return lines;
    const place = one(all);
    const value = other(place);
    if (way < 0.1) return lines.with(at, changedAt(lines[at], place.path, () => undefined) ?? null);
    // In every line that has such a place.
    if (way < 0.5)
      return lines.map((line) => (has(line, place.path) ? changedAt(line, place.path, () => value) : line));
    // And wherever this name stands.
    if (way < 0.7) {
      const everywhere = (/** @type {any} */ each) =>
        JSON.parse(JSON.stringify(each, (name, own) => (name === place.name ? value : own)) ?? 'null');
      return lines.map(everywhere);
    }
    return lines.with(at, changedAt(lines[at], place.path, () => value) ?? null);
  }

  /** @param {Buffer} bytes @returns {Buffer} */
  function brokenBytes(bytes) {
    const at = below(bytes.length + 1);
    const text = bytes.toString();
    return one([
      () => bytes.subarray(0, at),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at + below(3))]),
      () => Buffer.concat([bytes.subarray(0, at), bytes]),
      () => Buffer.from(text.replaceAll('\n', '\r\n')),
      () => Buffer.from(`\ufeff${text}`),
      () => Buffer.from(text, 'utf16le'),
      () => Buffer.from(text.replace(/:(\d+)/, `:${'['.repeat(3000)}`)),
      () => Buffer.from(text.replace(/:\d+/, one([':1e999', ':-1e999', ':-0', ':NaN', ':"\\ud800"']))),
      () =>
        Buffer.from(
          text.replace(
            '{',
            one(['{"__proto__":{"polluted":1},', '{"constructor":{"prototype":{"polluted":1}},']),
          ),
        ),
    ])();
  }

  return {
    below,
    one,

    /** @param {readonly unknown[]} lines @returns {Buffer} NDJSON with one to three wounds */
    breakLines(lines) {
      let own = /** @type {any[]} */ (lines);
      for (let wounds = one([1, 1, 1, 2, 3]); wounds > 0; wounds--)
        if (own.length > 0) own = brokenLines(own);
      const bytes = Buffer.from(own.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return chance(0.1) ? brokenBytes(bytes) : bytes;
    },
  };
}

/** @param {any} value @param {string[]} path @returns {boolean} */
const has = (value, [name, ...rest]) =>
  name === undefined ||
  (typeof value === 'object' && value !== null && Object.hasOwn(value, name) && has(value[name], rest));

/** What a report must not show. */
const SLIPPED =
  /\bNaN\b|\bundefined\b|\bInfinity\b|\[object |Cannot (?:read|set|destructure|convert)|is not a function|is not iterable|Maximum call/;

/** @param {string} text @returns {string | undefined} what shows that a value was not what the report took it for */
export const slipIn = (text) => {
  const at = text.search(SLIPPED);
  return at === -1 ? undefined : text.slice(Math.max(0, at - 80), at + 60);
};
