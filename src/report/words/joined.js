/**
 * @param {string[]} texts
 * @param {'and' | 'or'} [word]
 * @returns {string} `a`, `a and b`, `a, b and c`
 */
export const joined = (texts, word = 'and') =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(` ${word} `);

/** @param {string} text */
export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/** Nobody reads longer lists of names. */
const MOST_NAMED = 3;

/** @param {string[]} names @returns {string} in quotes: `"a"`, `"a", "b" and 4 others` */
export function inShort(names) {
  const shown = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names;
  const rest = names.length - shown.length;
  return joined([...shown.map((name) => `"${name}"`), ...(rest > 0 ? [`${rest} others`] : [])]);
}
