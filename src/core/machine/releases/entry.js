import { join } from 'node:path';
import { messageOf } from '../../errors.js';
import { readManifest } from '../../packages.js';
import { run } from '../../process/spawn.js';

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
