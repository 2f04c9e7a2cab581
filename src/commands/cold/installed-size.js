import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { sum } from '../../descriptive-statistics.js';
import { readManifest } from '../../machine/packages.js';

/** @param {string} file of a package @returns {number} installed bytes, dependencies included */
export function installedSize(file) {
  let folder = dirname(realpathSync(file));
  // A manifest without a name only sets the module type of its folder.
  while (readManifest(folder)?.name === undefined && folder !== dirname(folder)) folder = dirname(folder);
  return sum([...withDependencies(folder)].map(ownSize));
}

/** @param {string} folder @param {Set<string>} [folders] already visited */
function withDependencies(folder, folders = new Set()) {
  if (folders.has(folder)) return folders;
  folders.add(folder);
  const { dependencies, optionalDependencies } = readManifest(folder) ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const places = foldersAbove(folder).map((each) => join(each, 'node_modules', name));
    const found = places.find((place) => existsSync(place));
    if (found !== undefined) withDependencies(realpathSync(found), folders);
  }
  return folders;
}

/** @param {string} folder @returns {string[]} `folder` first */
const foldersAbove = (folder) =>
  folder === dirname(folder) ? [folder] : [folder, ...foldersAbove(dirname(folder))];

/** @param {string} folder @returns {number} bytes without nested packages */
function ownSize(folder) {
  const inner = `${join(folder, 'node_modules')}${sep}`;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((each) => join(each.parentPath, each.name));
  return sum(files.filter((file) => !file.startsWith(inner)).map((file) => statSync(file).size));
}
