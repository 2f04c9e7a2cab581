import { splitOutsideBraces } from './inline-options.js';
import { listWithRepeats, text } from './values.js';

const list = listWithRepeats(text);

/**
 * @param {unknown} value a list of clients, whose options may hold commas: `redis{RESP:2},ioredis`
 * @returns {string[]} a client may be named twice
 */
export const clientList = (value) => list(typeof value === 'string' ? splitOutsideBraces(value) : value);
