import { createRequire } from 'node:module';
import { attempt } from '../core/errors.js';

/** @import { StringValue } from 'ms' */

/** What all kinds of values share. `takes` is the name of a value in the help, `--runs <n>`. */

/** @template {(...given: any[]) => unknown} Read @param {string} takes @param {Read} read @returns {Read & {takes: string}} */
export const kindOf = (takes, read) => Object.assign(read, { takes });

/** @param {unknown} value @param {string} expected @returns {never} */
export function fail(value, expected) {
  throw new Error(`expected ${expected}, got ${shown(value)}`);
}

/** @param {unknown} value @returns {string} never throws */
const shown = (value) =>
  value !== null && ['object', 'function', 'symbol'].includes(typeof value)
    ? `${Array.isArray(value) ? 'a list' : `something of type ${typeof value}`}`
    : `'${value}'`;

/** @param {string} takes */
const textOf = (takes) =>
  kindOf(takes, (/** @type {unknown} */ value) =>
    typeof value === 'string' && value !== '' ? value : fail(value, 'a text that is not empty'),
  );

export const text = textOf('text');
export const file = textOf('file');
export const path = textOf('path');

export const texts = kindOf('text', (/** @type {unknown} */ value) => [value].flat().map(text));

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {readonly string[]} choices */
export const oneOf = (choices) =>
  kindOf('kind', (/** @type {unknown} */ value) =>
    typeof value === 'string' && choices.includes(value)
      ? value
      : fail(value, `one of ${choices.join(', ')}`),
  );

/** @param {unknown} value @param {string} separator @returns {unknown[] | undefined} undefined for other types */
export function partsOf(value, separator) {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? String(value).split(separator) : undefined;
}

/** @template T @param {(value: unknown) => T} kind @returns {(part: unknown) => T} */
export const trimmed = (kind) => (part) => kind(typeof part === 'string' ? part.trim() : part);

/** A comma list or an array. @template T @param {(value: unknown) => T} kind */
export const listWithRepeats = (kind) =>
  kindOf('list', (/** @type {unknown} */ value) => {
    const parts = partsOf(value, ',') ?? fail(value, 'a list: values with commas between, or an array');
    if (parts.length === 0) fail('', 'at least one value');
    return parts.map(trimmed(kind));
  });

/** Without repetitions. @template T @param {(value: unknown) => T} kind */
export const listOf = (kind) =>
  kindOf('list', (/** @type {unknown} */ value) => [...new Set(listWithRepeats(kind)(value))]);

/**
 * A list of names, without repetitions. A name may have an argument behind a colon, which may hold commas
 * (`mix:get=80,set=20`, `per-process:set,exists`). A number alone is one more argument of the name before it: `explicit:1,5,10`.
 * @param {string[]} known names: none belongs to an argument that does not begin with one
 */
export const namesAmong = (known) =>
  kindOf('list', (/** @type {unknown} */ value) => {
    const parts = Array.isArray(value) ? value : joinArguments(text(value).split(','), known);
    let prefix = '';
    return listOf((part) => {
      const name = text(part);
      if (/^\d+$/.test(name) && prefix !== '') return `${prefix}:${name}`;
      prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
      return name;
    })(parts);
  });

/** Where the names are not known. */
export const names = namesAmong([]);

const SHARE = /^[\w@.-]+\s*=/;
const WORD = /^\s*[a-z][\w-]*\s*$/;
/** The words that follow such an argument belong to it too. */
const WITH_WORDS = /:([a-z][\w-]*)[\w\s,-]*$/;

/** Joins the parts of each argument again. @param {string[]} parts @param {string[]} known names */
function joinArguments(parts, known) {
  const names = [parts[0]];
  for (const part of parts.slice(1)) {
    const last = names.length - 1;
    const [, word] = WITH_WORDS.exec(names[last]) ?? [];
    const isWord = WORD.test(part) && word !== undefined;
    const beginsAnew = known.includes(part.trim()) && !known.includes(/** @type {string} */ (word));
    if (SHARE.test(part) || (isWord && !beginsAnew)) names[last] += `,${part}`;
    else names.push(part);
  }
  return names;
}

/** As CommonJS it loads 2 ms faster by require. @type {typeof import('ms')} */
const ms = createRequire(import.meta.url)('ms');

/** Node's own timers end at 24 days. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** In milliseconds. */
export function duration(/** @type {unknown} */ value) {
  const expected = 'a time such as 300ms, 5s or 2m, up to 24h';
  if (typeof value === 'number') return value > 0 && value <= LONGEST_MS ? value : fail(value, expected);
  const milliseconds =
    typeof value === 'string' && /^[\d.]+\s?[a-z]+$/i.test(value)
      ? ms(/** @type {StringValue} */ (value))
      : undefined;
  return milliseconds !== undefined && milliseconds > 0 && milliseconds <= LONGEST_MS
    ? milliseconds
    : fail(value, expected);
}
duration.takes = 'time';

/** Or 0 for none. */
export const durationOrNone = (/** @type {unknown} */ value) =>
  value === 0 || value === '0'
    ? 0
    : (attempt(() => duration(value), null) ?? fail(value, 'a time such as 30s or 10m, up to 24h, or 0'));

const US_UNITS = { us: 1, µs: 1, ms: 1000, s: 1e6 };
/** Longer than anything that still answers. */
const LONGEST_US = 10e6;

/** In microseconds; or 0. */
export function microseconds(/** @type {unknown} */ value) {
  const expected = 'a time such as 50us, 0.5ms or 2ms, up to 10s, or 0';
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s?([a-zµ]+)$/i.exec(String(value)) ?? [];
  const factor = US_UNITS[/** @type {keyof typeof US_UNITS} */ (unit.toLowerCase())];
  const us = typeof value === 'number' ? value : value === '0' ? 0 : Number(number) * factor;
  return us === 0 || (us >= 1 && us <= LONGEST_US) ? us : fail(value, expected);
}

/** In milliseconds; 0 for no relay, `relay` for one without delay. */
export function roundTrip(/** @type {unknown} */ value) {
  if (value === 'relay') return value;
  const ms = attempt(() => microseconds(typeof value === 'number' ? value * 1000 : value) / 1000, null);
  return ms ?? fail(value, '0, relay, or a time such as 0.5ms or 20ms, up to 10s');
}
