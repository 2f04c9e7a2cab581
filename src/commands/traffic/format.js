/**
 * The format of a profile: recorded traffic as shapes, never contents. NDJSON, gzipped where the name ends in .gz.
 *
 *     {"type":"profile","profileVersion":2,"tool":{…},"startedAt":"…"}
 *     {"type":"open","atUs":210,"connection":1}
 *     [1204,1,"SET",[[0,12],100,"EX","60"],["+",2],85,1,3]
 *     [1300,1,"GET",[[0,12]],["$",100],64,1,2]
 *     {"type":"close","atUs":2210,"connection":1,"pushes":0,"pushBytes":0,"unparsedBytes":0}
 *     {"type":"end","atUs":3000,"reason":"time","commands":2,…}
 *
 * A command is an array, because there are millions: its time (microseconds since the start), connection, name,
 * arguments, reply and latency, how many were in flight on its connection and on all, and the number and bytes of further
 * arguments. See types.d.ts.
 *
 * Lines are in the order of complete replies, so a command that blocks comes late. A command in MULTI has its reply from
 * EXEC.
 *
 * All bounds are here. What exceeds one is not recorded, and is rejected in a profile.
 */

/** @import { Argument, CommandLine } from './types.js' */

export const PROFILE_VERSION = 2;

/** A month. */
export const MOST_US = 31 * 24 * 3600 * 1e6;
export const MOST_CONNECTIONS = 1e6;
/** An hour at 5,000 a second is 18 million. */
export const MOST_COMMANDS = 20e6;
/** Keys have smaller numbers, so that an array can count them. */
export const MOST_KEYS = 2 ** 22;
/** Of a string in Redis. */
export const MOST_BYTES = 512 * 1024 * 1024;
/** Arguments that a line lists. */
export const MOST_ARGUMENTS = 128;
/** Not compressed. 20 million commands of an application take about 1.4 GB. */
export const MOST_PROFILE_BYTES = 2e9;
/** The longest line of a command has 128 arguments of 22 characters. */
export const LONGEST_LINE_BYTES = 8 * 1024;

/** Replaces a command name or an error word that Redis does not have: it might be a secret. */
export const OTHER = 'OTHER';

/** @param {Argument} argument @returns {number} bytes */
export const sizeOf = (argument) => {
  if (typeof argument === 'number') return Math.abs(argument);
  return Array.isArray(argument) ? argument[1] : argument.length;
};

/** @param {any[]} line that was checked @returns {CommandLine} */
export const commandOf = ([atUs, connection, name, args, reply, tookUs, ...others]) => {
  const [inFlight, underWayInAll, [count, bytes] = [0, 0]] = others;
  const rest = { count, bytes };
  return { type: 'command', atUs, connection, name, args, reply, tookUs, inFlight, underWayInAll, rest };
};
