import { join } from 'node:path';
import { messageOf } from '../../errors.js';
import { run } from '../../process/spawn.js';
import { readBoundedSync } from '../../read-file.js';

/** @param {string} folder of a package @returns {any} its package.json; null where it is missing or cannot be read */
export function readManifest(folder) {
  try {
    return JSON.parse(readBoundedSync(join(folder, 'package.json')).toString());
  } catch {
    return null;
  }
}

/** Imports a package by its folder or name, and prints the URL of its main file. */
const IMPORT = `
  const [from, what] = process.argv.slice(1);
  const { href } = require('node:url').pathToFileURL(require('node:module').createRequire(from).resolve(what));
  import(href).then(() => require('node:fs').writeSync(1, href));
`;

/**
 * Finds the main file of a package and tries to import it. This takes a separate process: imported
 * modules stay in memory, and Node caches failed lookups.
 *
 * @param {string} folder of the package @param {AbortSignal} [signal]
 * @returns {Promise<string>} the URL of its main file
 * @throws {Error} with the reason why it cannot be imported
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
