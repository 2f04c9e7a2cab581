import { createRequire } from 'node:module';
import { attempt } from '../errors.js';
import { fail } from './list-values.js';

/** @import { StringValue } from 'ms' */

/** It is CommonJS: required it is there sooner than imported, by 2 ms. @type {typeof import('ms')} */
const ms = createRequire(import.meta.url)('ms');

/** A day; Node's own timers end at 24 of them. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** A time as text with its unit; becomes milliseconds. Numbers are milliseconds already. */
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

const US_UNITS = { us: 1, µs: 1, ms: 1000, s: 1e6 };
/** Longer than anything that still answers. */
const LONGEST_US = 10e6;

/** A short time as text with its unit, or 0; becomes microseconds. Numbers are microseconds already. */
export function microseconds(/** @type {unknown} */ value) {
  const expected = 'a time such as 50us, 0.5ms or 2ms, up to 10s, or 0';
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s?([a-zµ]+)$/i.exec(String(value)) ?? [];
  const factor = US_UNITS[/** @type {keyof typeof US_UNITS} */ (unit.toLowerCase())];
  const us = typeof value === 'number' ? value : value === '0' ? 0 : Number(number) * factor;
  return us === 0 || (us >= 1 && us <= LONGEST_US) ? us : fail(value, expected);
}

/** A round trip that a relay adds: 0 for no relay, `relay` for one without delay. Numbers are milliseconds already. */
export function roundTrip(/** @type {unknown} */ value) {
  if (value === 'relay') return value;
  const ms = attempt(() => microseconds(typeof value === 'number' ? value * 1000 : value) / 1000, null);
  return ms ?? fail(value, '0, relay, or a time such as 0.5ms or 20ms, up to 10s');
}
