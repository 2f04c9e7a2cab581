import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readManifest } from '../core/packages.js';

/** @param {string} file of a package @returns {number} installed bytes, dependencies included */
export function installedSize(file) {
  let folder = dirname(realpathSync(file));
  // A manifest without a name only sets the module type of its folder.
  while (readManifest(folder)?.name === undefined && folder !== dirname(folder)) folder = dirname(folder);
  return [...withDependencies(folder)].reduce((sum, each) => sum + ownSize(each), 0);
}

/** @param {string} folder @param {Set<string>} [folders] already visited */
function withDependencies(folder, folders = new Set()) {
  if (folders.has(folder)) return folders;
  folders.add(folder);
  const { dependencies, optionalDependencies } = readManifest(folder) ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = foldersAbove(folder).find((each) => existsSync(join(each, 'node_modules', name)));
    if (found !== undefined) withDependencies(realpathSync(join(found, 'node_modules', name)), folders);
  }
  return folders;
}

/** @param {string} folder @returns {string[]} `folder` first */
const foldersAbove = (folder) =>
  folder === dirname(folder) ? [folder] : [folder, ...foldersAbove(dirname(folder))];

/** @param {string} folder @returns {number} bytes without nested packages */
function ownSize(folder) {
  const inner = `${join(folder, 'node_modules')}${sep}`;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(inner))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}
