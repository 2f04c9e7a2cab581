import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { attempt, messageOf } from '../../errors.js';
import { run } from '../../process/spawn.js';
import { readBoundedSync } from '../../read-file.js';

/** @param {string} folder @returns {any} package.json; null if missing or unreadable */
export const readManifest = (folder) =>
  attempt(() => JSON.parse(readBoundedSync(join(folder, 'package.json')).toString()), null);

/** Imports a package by folder or name and prints the URL of its main file. */
const IMPORT = `
  const [from, what] = process.argv.slice(1);
  const { href } = require('node:url').pathToFileURL(require('node:module').createRequire(from).resolve(what));
  import(href).then(() => require('node:fs').writeSync(1, href));
`;

/** Own process, because Node caches modules and failed lookups. @param {string} folder @param {AbortSignal} [signal] */
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
const resolvedFolder = (name) => attempt(() => [dirname(require.resolve(`${name}/package.json`))], []);

/** @param {string[]} names @returns {Record<string, string>} versions that this tool can import */
export function installedPackages(names) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = installedVersion(name);
      return version === null ? [] : [[name, version]];
    }),
  );
}
