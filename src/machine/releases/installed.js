import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readManifest } from './manifest.js';

const require = createRequire(import.meta.url);

/** @param {string} name of a package @returns {string | null} its version where this tool can import it */
export function installedVersion(name) {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  for (const folder of [...folders, ...resolvedFolder(name)]) {
    const manifest = readManifest(folder);
    if (manifest) return manifest.version;
  }
  return null;
}

/** @param {string} name @returns {string[]} where Yarn's Plug'n'Play keeps it, which has no node_modules */
function resolvedFolder(name) {
  try {
    return [dirname(require.resolve(`${name}/package.json`))];
  } catch {
    return [];
  }
}

/**
 * @param {string[]} names of npm packages
 * @returns {Record<string, string>} the version of each that is installed where this tool can import it
 */
export function installedPackages(names) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = installedVersion(name);
      return version === null ? [] : [[name, version]];
    }),
  );
}
