/** Characters of a command's name with which a row of a table stays one line. */
export const LONGEST_NAME = 30;

/** @param {string} text @returns {string} with a sign for its middle where it is longer */
export function inMiddle(text) {
  const all = [...text];
  if (all.length <= LONGEST_NAME) return text;
  const half = (LONGEST_NAME - 1) / 2;
  return `${all.slice(0, Math.ceil(half)).join('').trimEnd()}…${all.slice(-Math.floor(half)).join('').trimStart()}`;
}
