import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as v from 'valibot';
import { codeOf, tryOr } from '../errors.js';
import { textOf } from './read-file.js';

/** @import { ProcessIdentity } from '../machine/types.js' */

/** A process that a file names as its owner. A signal to 0 or below would go to whole groups of processes. */
export const OWNER = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  start: v.string(),
  place: v.string(),
});

/** How often an owner touches its file, for others that cannot see its process. */
export const ALIVE_EVERY_MS = 15_000;
const DEAD_AFTER_MS = 4 * ALIVE_EVERY_MS;

/** @param {ProcessIdentity | null} owner @param {number} ageMs since it touched its file @returns {boolean} it lives, or did a minute ago */
export function isInUse(owner, ageMs) {
  if (owner === null) return false;
  const where = whereIs(owner);
  return where === 'elsewhere' ? ageMs < DEAD_AFTER_MS : where === 'here';
}

export const ownIdentity = () => ({ pid: process.pid, start: startOf(process.pid), place: placeOf() });

/** @param {ProcessIdentity} identity @returns {'here' | 'gone' | 'elsewhere'} in another container pids mean nothing */
export function whereIs({ pid, start, place }) {
  if (place !== placeOf()) return 'elsewhere';
  return isAlive(pid) && startOf(pid) === start ? 'here' : 'gone';
}

/** @returns {string} the scope in which a pid is unique */
const placeOf = () => tryOr(() => `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`, hostname());

/** @param {number} pid @returns {string} start time, because pids are reused */
const startOf = (pid) =>
  // proc(5): field 22, in clock ticks since boot; the process name may hold blanks.
  textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')[22 - 3] ?? '-';

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
