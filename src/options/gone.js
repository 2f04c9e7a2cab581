/** What is gone, as users wrote it, and what to use instead. This file goes with the first release. */
export const GONE = {
  /** @type {Record<string, string>} by flag, of any command */
  options: {
    '--count': "use CPU per operation ('cpuUsPerOp'), which every result has",
  },
  /** @type {Record<string, string>} */
  commands: {},
  /** @type {Record<string, string>} by kind, as in `--fault KIND:2s` */
  faults: {},
};

/** @param {keyof typeof GONE} what @param {string} name @returns {string | undefined} one sentence */
export const goneText = (what, name) =>
  Object.hasOwn(GONE[what], name) ? `${name} is gone: ${GONE[what][name]}` : undefined;

/** @param {string} name in the API, such as `appWork` or `rttMs` @returns {string} its flag */
export const flagOfName = (name) =>
  `--${name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
