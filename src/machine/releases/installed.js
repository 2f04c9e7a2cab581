import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readManifest } from './manifest.js';

const require = createRequire(import.meta.url);

/**
 * @param {string} name of a package
 * @returns {string | null} its version where this tool can import it
 */
export function installedVersion(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    const manifest = readManifest(join(folder, name));
    if (manifest) return manifest.version;
  }
  return null;
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
