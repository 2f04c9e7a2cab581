import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { attempt } from '../errors.js';

/** @import { ProcessIdentity } from './types.js' */

/** @returns {ProcessIdentity} of this process, unique over time and machines */
export const ownIdentity = () => ({ pid: process.pid, start: startOf(process.pid), place: placeOf() });

/**
 * @param {ProcessIdentity} identity
 * @returns {'here' | 'gone' | 'elsewhere'} `elsewhere`: on another machine or in another container, where
 *   process ids mean nothing here
 */
export function whereIs({ pid, start, place }) {
  if (place !== placeOf()) return 'elsewhere';
  return isAlive(pid) && startOf(pid) === start ? 'here' : 'gone';
}

/** @returns {string} the machine or container in which a process id is unique */
const placeOf = () => attempt(() => `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`, hostname());

/** @param {number} pid @returns {string} when it was started, because process ids are reused */
const startOf = (pid) =>
  attempt(
    // proc(5): field 22, in clock ticks since the start of the machine; the name may hold blanks.
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
