import { fail, kindOf, listWithRepeats, text } from './values.js';

/**
 * Values with a grammar of their own: clients with options, settings of servers.
 *
 * @import { ServerConfig } from './types.js'
 */

/**
 * Splits outside of quotes and, if `braces`, outside of braces and brackets.
 * @param {string} text @param {string} separators @param {{braces?: boolean}} [more] @returns {string[]}
 */
function splitOutside(text, separators, { braces = false } = {}) {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|./gs)) {
    if (braces && (token === '{' || token === '[')) depth++;
    if (braces && (token === '}' || token === ']')) depth--;
    if (separators.includes(token) && depth <= 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  if (depth > 0) throw new Error("expected a '}' for each '{' of a client's options");
  return parts;
}

const list = listWithRepeats(text);

/** `redis{RESP:2},ioredis`; one may be named twice. */
export const clientList = kindOf('list', (/** @type {unknown} */ value) =>
  list(typeof value === 'string' ? splitOutside(value, ',', { braces: true }) : value),
);

const NONE = 'none';
const NO_SETTINGS = 'default settings';

/**
 * Commas separate sets, semicolons or line feeds the settings of one: `io-threads 1,io-threads 4; io-threads-do-reads yes`.
 * @param {unknown} value text, several texts, or what this returned before @returns {ServerConfig[]} each once
 */
export function serverConfigs(value) {
  const given = (Array.isArray(value) ? value : [value]).flatMap((each) => {
    if (typeof each === 'string') return splitOutside(each, ',').map(readConfig);
    if (Array.isArray(each?.lines)) return [/** @type {ServerConfig} */ (each)];
    return fail(each, "settings as in redis.conf, such as 'io-threads 4'");
  });
  return [...new Map(given.map((config) => [config.name, config])).values()];
}

/** @param {string} text @returns {ServerConfig} */
function readConfig(text) {
  const lines = splitOutside(text.trim(), ';\n')
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

/** What --compare can make choices of one table, and the axes of each. Its cells share relay, load and faults, so those stay conditions. */
export const COMPARABLE = {
  workload: ['workload'],
  topology: ['topology'],
  tasks: ['tasks'],
  size: ['keySize', 'valueSize'],
  appWork: ['appWork'],
  processes: ['processes'],
  pin: ['pin'],
};
