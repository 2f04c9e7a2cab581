/** Characters of a command's name with which a row of a table stays one line. */
export const LONGEST_NAME = 30;

/** @param {string} text @returns {string} with a sign for its middle where it is longer */
export function inMiddle(text) {
  const all = [...text];
  if (all.length <= LONGEST_NAME) return text;
  const half = (LONGEST_NAME - 1) / 2;
  return `${all.slice(0, Math.ceil(half)).join('').trimEnd()}…${all.slice(-Math.floor(half)).join('').trimStart()}`;
}

/** Before the path there may be what it is a path of: `profile:/home/me/traffic.ndjson`. */
const FOLDERS = /^([\w-]{2,}:)?(?:\/|[A-Za-z]:[\\/]).*[\\/](?=.)/;

/** Results are shared: where files lie on a machine is nobody's business. @param {string} name @returns {string} an absolute path's last part; itself otherwise */
export const withoutFolder = (name) => name.replace(FOLDERS, '$1');

/** @param {string[]} names @returns {string[]} without folders, but where two would be the same */
export function withoutFolders(names) {
  const short = names.map(withoutFolder);
  return names.map((name, place) =>
    names.some((other, at) => other !== name && short[at] === short[place]) ? name : short[place],
  );
}
