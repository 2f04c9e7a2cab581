/** What all kinds of values share: texts, choices, lists of others, and what is said of a wrong one. */

/** @param {unknown} value @param {string} expected @returns {never} */
export function fail(value, expected) {
  throw new Error(`expected ${expected}, got ${shown(value)}`);
}

/** @param {unknown} value @returns {string} never throws, whatever a program has passed */
const shown = (value) =>
  value !== null && ['object', 'function', 'symbol'].includes(typeof value)
    ? `${Array.isArray(value) ? 'a list' : `something of type ${typeof value}`}`
    : `'${value}'`;

export const text = (/** @type {unknown} */ value) =>
  typeof value === 'string' && value !== '' ? value : fail(value, 'a text that is not empty');

export const texts = (/** @type {unknown} */ value) => (Array.isArray(value) ? value : [value]).map(text);

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {readonly string[]} choices */
export const oneOf = (choices) => (/** @type {unknown} */ value) =>
  typeof value === 'string' && choices.includes(value) ? value : fail(value, `one of ${choices.join(', ')}`);

/**
 * @param {unknown} value @param {string} separator
 * @returns {unknown[] | undefined} undefined if it is neither an array nor a text
 */
export function partsOf(value, separator) {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? String(value).split(separator) : undefined;
}

/**
 * @template T
 * @param {(value: unknown) => T} kind
 * @returns {(part: unknown) => T} the text of one item, without the blanks around it
 */
export const trimmed = (kind) => (part) => kind(typeof part === 'string' ? part.trim() : part);

/**
 * @template T
 * @param {(value: unknown) => T} kind @returns {(value: unknown) => T[]} a comma list or an array
 */
export const listWithRepeats = (kind) => (value) => {
  const parts = partsOf(value, ',') ?? fail(value, 'a list: values with commas between, or an array');
  if (parts.length === 0) fail('', 'at least one value');
  return parts.map(trimmed(kind));
};

/**
 * @template T
 * @param {(value: unknown) => T} kind @returns {(value: unknown) => T[]} the same without repetitions
 */
export const listOf = (kind) => (value) => [...new Set(listWithRepeats(kind)(value))];

/**
 * Names that may have an argument behind a colon, which may hold commas itself (`mix:get=80,set=20`,
 * `per-process:set,exists`). A number alone is one more argument for the name before it: `explicit:1,5,10`.
 * @param {string[]} known names: none of them belongs to an argument that does not begin with one
 * @returns {(value: unknown) => string[]} reads a list with commas, or an array; without repetitions
 */
export const namesAmong = (known) => (value) => {
  const parts = Array.isArray(value) ? value : joinArguments(text(value).split(','), known);
  let prefix = '';
  return listOf((part) => {
    const name = text(part);
    if (/^\d+$/.test(name) && prefix !== '') return `${prefix}:${name}`;
    prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
    return name;
  })(parts);
};

/** The same where nobody knows which names there are. */
export const names = namesAmong([]);

const SHARE = /^[\w@.-]+\s*=/;
const WORD = /^\s*[a-z][\w-]*\s*$/;
/** A name whose argument is a word, so that words that follow belong to it too. */
const WITH_WORDS = /:([a-z][\w-]*)[\w\s,-]*$/;

/**
 * @param {string[]} parts of a list, split at its commas
 * @param {string[]} known names
 * @returns {string[]} the parts of each argument joined again
 */
function joinArguments(parts, known) {
  const names = [parts[0]];
  for (const part of parts.slice(1)) {
    const last = names.length - 1;
    const [, word] = WITH_WORDS.exec(names[last]) ?? [];
    const isWord = WORD.test(part) && word !== undefined;
    const beginsAnew = known.includes(part.trim()) && !known.includes(/** @type {string} */ (word));
    if (SHARE.test(part) || (isWord && !beginsAnew)) names[last] += `,${part}`;
    else names.push(part);
  }
  return names;
}
