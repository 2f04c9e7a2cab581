import { styleText } from 'node:util';

const LOOKS = /** @type {const} */ (['bold', 'dim', 'red', 'green', 'yellow', 'cyan']);

/** @typedef {Record<typeof LOOKS[number], (text: string) => string>} Colors */

/** Whether they are wanted is the printer's to say: nothing here looks at a stream or the environment. @param {boolean} wanted */
export function createColors(wanted) {
  const painters = LOOKS.map((look) => [
    look,
    wanted ? (/** @type {string} */ text) => styleText(look, text, { validateStream: false }) : String,
  ]);
  return /** @type {Colors} */ (Object.fromEntries(painters));
}
