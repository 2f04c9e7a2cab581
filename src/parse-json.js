/** A result nests about ten levels; more than this would overflow the stack of whatever walks over it. */
const MOST_LEVELS = 100;

/**
 * @param {unknown} value
 * @param {number} [levels]
 * @returns {boolean} whether it is nested more deeply than anything of this tool
 */
export const isTooDeep = (value, levels = MOST_LEVELS) =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1)));

/**
 * Parses JSON that may hold secrets: the message of Node's own error quotes the text.
 *
 * @param {string} text
 * @param {(name: string, value: unknown) => unknown} [reviver]
 * @returns {any}
 * @throws {Error} that quotes nothing of the text
 */
export function parseJson(text, reviver) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    const before = text.slice(0, errorAt(text));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw new Error(`expected JSON, but there is an error in line ${line}, column ${column}`);
  }
  if (isTooDeep(value)) throw new Error(`it is nested more than ${MOST_LEVELS} levels deep`);
  return reviver === undefined ? value : JSON.parse(text, reviver);
}

/**
 * Node does not always tell the place. A text that ends too early is told from one that is wrong, so
 * the place is where the shortest wrong beginning ends.
 *
 * @param {string} text that is no JSON
 * @returns {number} the index of the first character that cannot stand there
 */
function errorAt(text) {
  let right = 0;
  let wrong = text.length + 1;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (endsTooEarly(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  return wrong - 1;
}

/** @param {string} text @returns {boolean} whether it is the beginning of JSON, or all of it */
function endsTooEarly(text) {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return message.includes('end of JSON input') || message.includes(`JSON at position ${text.length}`);
  }
}
