import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { attempt, messageOf } from '../../errors.js';
import { run } from '../../process/spawn.js';
import { readBoundedSync } from '../../read-file.js';

/** @param {string} folder of a package @returns {any} its package.json; null where it is missing or cannot be read */
export const readManifest = (folder) =>
  attempt(() => JSON.parse(readBoundedSync(join(folder, 'package.json')).toString()), null);

/** Imports a package by its folder or name, and prints the URL of its main file. */
const IMPORT = `
  const [from, what] = process.argv.slice(1);
  const { href } = require('node:url').pathToFileURL(require('node:module').createRequire(from).resolve(what));
  import(href).then(() => require('node:fs').writeSync(1, href));
`;

/**
 * Finds the main file of a package and tries to import it. This takes a separate process: imported
 * modules stay in memory, and Node caches failed lookups.
 * @param {string} folder of the package @param {AbortSignal} [signal]
 * @returns {Promise<string>} the URL of its main file @throws {Error} with the reason why it cannot be imported
 */
export async function entryOf(folder, signal) {
  const manifest = readManifest(folder);
  if (manifest === null) throw new Error(`no package.json in '${folder}'`);
  const from = join(folder, 'package.json');
  try {
    const args = ['-e', IMPORT, from, manifest.exports ? manifest.name : folder];
    return await run(process.execPath, args, { signal });
  } catch (error) {
    const { stderr = '' } = /** @type {any} */ (error);
    throw new Error(/^\w*Error.*: (.*)/m.exec(stderr)?.[1] ?? messageOf(error));
  }
}

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
const resolvedFolder = (name) => attempt(() => [dirname(require.resolve(`${name}/package.json`))], []);

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
