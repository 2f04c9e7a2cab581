/** Commands, in lower case, whose scripts and functions send commands of their own, which the server counts too. */
const RUNS_SCRIPT = /^(?:eval|evalsha|fcall)(?:_ro)?$/;

/** @param {Record<string, number>} calls by command */
export const runsScripts = (calls) => Object.keys(calls).some((name) => RUNS_SCRIPT.test(name));
