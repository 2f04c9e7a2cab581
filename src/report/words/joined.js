/** @param {string[]} texts @returns {string} `a, b and c` */
export const joined = (texts) =>
  [texts.slice(0, -1).join(', '), texts.slice(-1).join('')].filter(Boolean).join(' and ');
