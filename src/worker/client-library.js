/**
 * Imports the npm package that a client stands for; nothing for a client that needs none.
 *
 * @param {import('../types.js').ClientPlugin} client
 * @param {string | null} [entry] a file to import instead of the package that comes with this tool
 * @returns {Promise<any>}
 */
export async function loadClient({ package: name }, entry = null) {
  return name === null ? undefined : import(entry ?? name);
}
