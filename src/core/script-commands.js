import { placesIn } from './command-places.js';

/** The server also counts the commands that scripts and functions send. */
const RUNS_SCRIPT = /^(?:(?:eval|evalsha|fcall)(?:_ro)?|tfcall(?:async)?)$/;

/** @param {Record<string, number>} calls by command, in lower case */
export const runsScripts = (calls) => Object.keys(calls).some((name) => RUNS_SCRIPT.test(name));

/** @typedef {'scripts'} Permission of --allow-scripts, and of an agent's --allow scripts */

/**
 * @param {readonly (readonly unknown[])[]} commands as they are sent, or with `{key}` and `{value}`
 * @returns {Permission | null} what an external server's user must allow first: they may reach other keys than their own
 */
export const permissionOf = (commands) =>
  commands.some((command) => placesIn(command) === null) ? 'scripts' : null;

/** @param {{commands: string[][], prepare: string[] | null}} parameter of the workload command */
export const permissionOfOwn = ({ commands, prepare }) =>
  permissionOf([...(prepare ? [prepare] : []), ...commands]);

/** @param {string} name of a command @returns {string} why it is refused */
export const permissionText = (name) =>
  `${name.toUpperCase()} is not known to keep to this tool's keys; --allow-scripts lets it reach all data`;
