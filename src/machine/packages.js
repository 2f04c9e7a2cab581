import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tryOr } from '../errors.js';
import { readBoundedSync } from '../process/read-file.js';

/**
 * @typedef {object} Manifest package.json, whose members may be anything
 * @property {string} [name]
 * @property {string} version
 * @property {unknown} [exports]
 * @property {unknown} [workspaces]
 * @property {object} [dependencies]
 * @property {object} [optionalDependencies]
 */

/** @param {string} folder @returns {Manifest | null} null if missing or unreadable */
export const readManifest = (folder) =>
  tryOr(() => JSON.parse(readBoundedSync(join(folder, 'package.json')).toString()), null);

const require = createRequire(import.meta.url);

/** @param {string} name @returns {string | null} null if this tool cannot import it */
export function installedVersion(name) {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  for (const folder of [...folders, ...resolvedFolder(name)]) {
    const manifest = readManifest(folder);
    if (manifest) return manifest.version;
  }
  return null;
}

/** @param {string} name @returns {string[]} for Yarn's Plug'n'Play, which has no node_modules */
const resolvedFolder = (name) => tryOr(() => [dirname(require.resolve(`${name}/package.json`))], []);

/** @param {string} name @returns {string | null} the path of its main file; null if this tool cannot import it */
export const mainFileOf = (name) => tryOr(() => require.resolve(name), null);

/** @param {string[]} names @returns {Record<string, string>} versions that this tool can import */
export function installedPackages(names) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = installedVersion(name);
      return version === null ? [] : [[name, version]];
    }),
  );
}
