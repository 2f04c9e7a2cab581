import { pathToFileURL } from 'node:url';
import { messageOf } from '../errors.js';

/** @import { ClientPlugin } from '../plugins/types.js' */

/**
 * Imports the npm package of a client, if it has one.
 * @param {Pick<ClientPlugin, 'package'>} client
 * @param {string | null} [entry] the path of a file to import instead of the package that comes with this tool
 * @returns {Promise<any>}
 * @throws {Error} when it cannot be loaded; native code may be missing for this platform
 */
export async function loadClient({ package: name }, entry = null) {
  if (name === null) return undefined;
  try {
    return await import(entry === null ? name : pathToFileURL(entry).href);
  } catch (error) {
    const here = `${process.platform} ${process.arch} with Node ${process.versions.node}`;
    throw new Error(`the package ${name} cannot be loaded on ${here}: ${messageOf(error)}`);
  }
}
