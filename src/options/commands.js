/** @import { CommandData } from './types.js' */

/** The commands that measure something else than a benchmark does. */
export const COMMANDS = /** @type {const} */ (['break', 'cold', 'messages']);

/** @param {CommandData['name']} name @returns {Promise<CommandData>} */
export const loadCommand = async (name) => (await import(`../${name}/index.js`)).default;
