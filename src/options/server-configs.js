/** @import { ServerConfig } from './types.js' */

/** For the server as it is, beside others. */
const NONE = 'none';
const NO_SETTINGS = 'default settings';

/**
 * Sets of settings that servers are started with, side by side. Commas separate sets, semicolons (or line feeds) the
 * settings of one set: `io-threads 1,io-threads 4; io-threads-do-reads yes`.
 *
 * @param {unknown} value text, several texts, or what this returned before
 * @returns {ServerConfig[]} each once
 * @throws {Error} that says what was expected
 */
export function serverConfigs(value) {
  const given = (Array.isArray(value) ? value : [value]).flatMap((each) => {
    if (typeof each === 'string') return splitOutsideQuotes(each, ',').map(readConfig);
    if (Array.isArray(each?.lines)) return [/** @type {ServerConfig} */ (each)];
    throw new Error(
      `expected settings as in redis.conf, such as 'io-threads 4', got something of type ${typeof each}`,
    );
  });
  return [...new Map(given.map((config) => [config.name, config])).values()];
}

/** @param {string} text @returns {ServerConfig} */
function readConfig(text) {
  const lines = splitOutsideQuotes(text.trim(), ';\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
  if (lines.length === 0) {
    throw new Error(
      "expected settings as in redis.conf, such as 'io-threads 4', or none, between the commas",
    );
  }
  return lines[0] === NONE && lines.length === 1
    ? { name: NO_SETTINGS, lines: [] }
    : { name: lines.join('; '), lines };
}

/** @param {string} text @param {string} separators @returns {string[]} */
function splitOutsideQuotes(text, separators) {
  const parts = [''];
  for (const [token] of text.matchAll(/"[^"]*"|'[^']*'|./gs)) {
    if (separators.includes(token)) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
