import { isText, tokensOf } from './tokens.js';

/**
 * Words that readers stumble over, and what a native engineer would say.
 * @type {{what: RegExp, instead: string}[]}
 */
export const BANNED = [
  {
    what: /(?:\b(?:operations|commands|connections|CPU|CPU time|bytes|calls|memory|rate)|[µm]s|[}\d]) (?:an operation|a command|a run|a second)\b/i,
    instead: 'per operation, per command, per second',
  },
  { what: /\bunder way\b/i, instead: 'in flight' },
  { what: /\bheld\b/i, instead: 'sustained; compared with' },
  {
    what: /\b(?:tells?|told|telling)\b|\bknown of\b|\bit is said\b|\bcannot be said\b/i,
    instead: 'reported, distinguished',
  },
  { what: /\b(?:gave|gives?) way\b|\bat (?:its|their) end\b/i, instead: 'was the bottleneck; saturated' },
  { what: /\bin step\b|\btakes? turns\b/i, instead: 'run in lockstep; alternate' },
  { what: /(?<!-)\bbeside\b|\bcompany\b/i, instead: 'background load' },
  { what: /\bnearby\b|\bat a distance\b/i, instead: 'local; over a network' },
  { what: /\bhypervisor\b/i, instead: 'CPU steal' },
  { what: /\b(?:wait(?:ed|s)? for|without) a processor\b/i, instead: 'waited for CPU' },
  {
    what: /\bso (?:far|long)\b|\bwhich there is not\b|\bno matter (?:how|what|which|who)\b/i,
    instead: 'yet; does not exist',
  },
  {
    what: /\b(?:an|any) answer\b|\bwho(?:ever)? answers?\b|\bwhoever\b|\b(?:any|no)body\b/i,
    instead: 'the server, the client, the caller',
  },
  { what: /\b(?:lane|crew|bond)s?\b/i, instead: 'sender; agents; or no noun' },
  { what: /\bcan(?:not)? be claimed\b|\bis shown to\b/i, instead: 'significant' },
  { what: /\bas it likes\b|\bat work\b/i, instead: 'may move; running' },
];

/**
 * @param {string} text @param {string} where
 * @returns {string[]} a line for each banned word: where it stands, and what to write
 */
export const bannedIn = (text, where) =>
  BANNED.flatMap(({ what, instead }) => {
    const found = what.exec(text);
    return found === null
      ? []
      : [`${where}: "${found[0]}" in "${excerpt(text, found.index)}", write: ${instead}`];
  });

/** @param {string} text @param {number} at */
const excerpt = (text, at) =>
  text
    .slice(Math.max(0, at - 40), at + 60)
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Only texts of several words: names of fields and kinds stay as they were saved.
 * @param {string} code @param {string} file
 * @returns {{where: string, text: string}[]} strings, and the pieces of templates; none where no banned word is near
 */
export function textsOf(code, file) {
  const lines = code.split('\n').filter((line) => !/^\s*(?:\*|\/[/*])/.test(line));
  if (!BANNED.some(({ what }) => lines.some((line) => what.test(line)))) return [];
  return tokensOf(code)
    .filter((token) => isText(token) && /\s/.test(token.text))
    .map(({ text, line }) => ({ where: `${file}:${line}`, text }));
}
