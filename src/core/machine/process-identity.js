import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { attempt } from '../errors.js';

/** @import { ProcessIdentity } from './types.js' */

export const ownIdentity = () => ({ pid: process.pid, start: startOf(process.pid), place: placeOf() });

/** @param {ProcessIdentity} identity @returns {'here' | 'gone' | 'elsewhere'} in another container pids mean nothing */
export function whereIs({ pid, start, place }) {
  if (place !== placeOf()) return 'elsewhere';
  return isAlive(pid) && startOf(pid) === start ? 'here' : 'gone';
}

/** @returns {string} the scope in which a pid is unique */
const placeOf = () => attempt(() => `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`, hostname());

/** @param {number} pid @returns {string} start time, because pids are reused */
const startOf = (pid) =>
  attempt(
    // proc(5): field 22, in clock ticks since boot; the process name may hold blanks.
    () =>
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[22 - 3],
    '-',
  );

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {any} */ (error).code === 'EPERM';
  }
}
