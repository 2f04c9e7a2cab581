/**
 * Imports the npm package that a client stands for; nothing for a client that needs none.
 *
 * @param {import('../types.js').ClientPlugin} client
 * @returns {Promise<any>}
 */
export async function loadClient(client) {
  return client.package ? import(client.package) : undefined;
}
