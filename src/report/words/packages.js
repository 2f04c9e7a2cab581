/**
 * @import { Release } from '../../machine/types.js'
 * @import { Report } from '../../results/types.js'
 */

/**
 * The client packages that a report has cells of, each release once, in the order of the cells.
 *
 * @param {Pick<Report, 'cells'>} report
 * @returns {[name: string, version: string][]}
 */
export function usedPackages({ cells }) {
  /** @type {Map<string, [string, string]>} */
  const packages = new Map();
  for (const { release } of cells) {
    if (release) packages.set(JSON.stringify(release), [release.package, versionText(release)]);
  }
  return [...packages.values()];
}

/**
 * @param {Pick<Report, 'environment'>} report
 * @returns {[name: string, hash: string][]} the user's own files, with the hash of their content
 */
export const ownFiles = ({ environment: { plugins = [] } }) =>
  plugins.map(({ file, hash }) => [file, `(${hash})`]);

/** @param {Release} release */
function versionText({ version, path, commit }) {
  const origin = [path, commit && `commit ${commit}`].filter(Boolean).join(', ');
  return origin === '' ? version : `${version} (${origin})`;
}

/**
 * What the workers ran on: the Node binaries that were asked for, or the tool's own.
 *
 * @param {Report} report
 * @returns {{name: string, v8: string}[]}
 */
export function runtimesOf({ cells, environment }) {
  const own = { name: environment.node, v8: environment.v8 };
  const runtimes = cells.map(({ runtime }) => runtime ?? own);
  return [...new Map(runtimes.map(({ name, v8 }) => [name, { name, v8 }])).values()];
}

/**
 * @param {Report} report
 * @returns {string} `24.1.0, 26.3.0`
 */
export const runtimesText = (report) =>
  runtimesOf(report)
    .map(({ name }) => name)
    .join(', ');
