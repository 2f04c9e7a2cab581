/** The server also counts the commands that scripts and functions send. */
const RUNS_SCRIPT = /^(?:eval|evalsha|fcall)(?:_ro)?$/;

/** @param {Record<string, number>} calls by command, in lower case */
export const runsScripts = (calls) => Object.keys(calls).some((name) => RUNS_SCRIPT.test(name));
